// Pairs of texts to begin with. All are in the public domain; where they come from stands beside them.

export const examples = [
  {
    name: ["Gettysburg, two copies", "葛底斯堡演说，两稿"],
    about: [
      "Abraham Lincoln, 1863: the Nicolay copy (the earliest) and the Bliss copy (the last, which is the one engraved). Library of Congress.",
      "亚伯拉罕·林肯，1863 年：尼古拉稿（最早）与布利斯稿（最后一稿，即碑刻所用）。美国国会图书馆。",
    ],
    a: `Four score and seven years ago our fathers brought forth, upon this continent, a new nation, conceived in liberty, and dedicated to the proposition that "all men are created equal"

Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived, and so dedicated, can long endure. We are met on a great battle field of that war. We have come to dedicate a portion of it, as a final resting place for those who died here, that the nation might live. This we may, in all propriety do. But, in a larger sense, we can not dedicate—we can not consecrate—we can not hallow, this ground—The brave men, living and dead, who struggled here, have hallowed it, far above our poor power to add or detract. The world will little note, nor long remember what we say here; while it can never forget what they did here.

It is rather for us, the living, we here be dedicated to the great task remaining before us—that, from these honored dead we take increased devotion to that cause for which they here, gave the last full measure of devotion—that we here highly resolve these dead shall not have died in vain; that the nation, shall have a new birth of freedom, and that government of the people by the people for the people, shall not perish from the earth.`,
    b: `Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal.

Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived and so dedicated, can long endure. We are met on a great battle-field of that war. We have come to dedicate a portion of that field, as a final resting place for those who here gave their lives that that nation might live. It is altogether fitting and proper that we should do this.

But, in a larger sense, we can not dedicate—we can not consecrate—we can not hallow—this ground. The brave men, living and dead, who struggled here, have consecrated it, far above our poor power to add or detract. The world will little note, nor long remember what we say here, but it can never forget what they did here. It is for us the living, rather, to be dedicated here to the unfinished work which they who fought here have thus far so nobly advanced. It is rather for us to be here dedicated to the great task remaining before us—that from these honored dead we take increased devotion to that cause for which they gave the last full measure of devotion—that we here highly resolve that these dead shall not have died in vain—that this nation, under God, shall have a new birth of freedom—and that government of the people, by the people, for the people, shall not perish from the earth.`,
  },
  {
    name: ["A draft and what became of it", "草稿与定稿"],
    about: [
      "The Declaration of Independence, 1776: Jefferson's “original Rough draught” and the text adopted, from the beginning. Library of Congress; National Archives.",
      "《独立宣言》，1776 年：杰斐逊的“原始草稿”与通过的文本，开头部分。美国国会图书馆；美国国家档案馆。",
    ],
    a: `When in the course of human events it becomes necessary for a people to advance from that subordination in which they have hitherto remained, & to assume among the powers of the earth the equal & independant station to which the laws of nature & of nature's god entitle them, a decent respect to the opinions of mankind requires that they should declare the causes which impel them to the change.

We hold these truths to be sacred & undeniable; that all men are created equal & independant, that from that equal creation they derive rights inherent & inalienable, among which are the preservation of life, & liberty, & the pursuit of happiness; that to secure these ends, governments are instituted among men, deriving their just powers from the consent of the governed; that whenever any form of government shall become destructive of these ends, it is the right of the people to alter or to abolish it, & to institute new government, laying it's foundation on such principles & organising it's powers in such form, as to them shall seem most likely to effect their safety & happiness.`,
    b: `When in the Course of human events, it becomes necessary for one people to dissolve the political bands which have connected them with another, and to assume among the powers of the earth, the separate and equal station to which the Laws of Nature and of Nature's God entitle them, a decent respect to the opinions of mankind requires that they should declare the causes which impel them to the separation.

We hold these truths to be self-evident, that all men are created equal, that they are endowed by their Creator with certain unalienable Rights, that among these are Life, Liberty and the pursuit of Happiness.--That to secure these rights, Governments are instituted among Men, deriving their just powers from the consent of the governed, --That whenever any Form of Government becomes destructive of these ends, it is the Right of the People to alter or to abolish it, and to institute new Government, laying its foundation on such principles and organizing its powers in such form, as to them shall seem most likely to effect their Safety and Happiness.`,
  },
  {
    name: ["道德经, silk and paper", "道德经：帛书与通行本"],
    about: [
      "Laozi, chapter 1: the silk text A of Mawangdui (before 195 BC, in simplified characters) and the received text of Wang Bi (3rd century).",
      "《老子》第一章：马王堆帛书甲本（公元前 195 年以前，简体转写）与王弼通行本（公元 3 世纪）。",
    ],
    a: `道，可道也，非恒道也。名，可名也，非恒名也。无名，万物之始也；有名，万物之母也。故恒无欲也，以观其眇；恒有欲也，以观其所徼。两者同出，异名同谓。玄之又玄，众眇之门。`,
    b: `道可道，非常道；名可名，非常名。无名，天地之始；有名，万物之母。故常无欲，以观其妙；常有欲，以观其徼。此两者，同出而异名，同谓之玄。玄之又玄，众妙之门。`,
  },
  {
    name: ["静夜思, Song and Ming", "静夜思：宋本与明本"],
    about: [
      "Li Bai, 8th century: as the Song editions have it, and as everybody has learnt it since the Ming. Two changes in twenty characters.",
      "李白，公元 8 世纪：宋本原貌，与明代以来人人会背的版本。二十字中有两处不同。",
    ],
    a: "床前看月光，疑是地上霜。\n举头望山月，低头思故乡。",
    b: "床前明月光，疑是地上霜。\n举头望明月，低头思故乡。",
  },
  {
    name: ["A rose is a rose", "玫瑰就是玫瑰"],
    about: [
      "Gertrude Stein, 1913, in the form that explains shingles in textbooks; beside it a sentence of the same words. Counting words cannot tell them apart; shingles (features: width=2) can.",
      "格特鲁德·斯坦因，1913 年，教科书用它来解释 shingle；旁边是用同样的词造的句子。数词频分不开它们，用 shingle（特征：width=2）可以。",
    ],
    a: "a rose is a rose is a rose",
    b: "is a rose a rose, a rose is",
  },
];
