// What methods note of their evidence comes in English. Here is the same in Chinese, by form; a note of
// another form stays as it is.
const forms = [
  [/^(\d+) of the smaller text's (\d+) shingles shared$/, (n, m) => `较小文本的 ${m} 个片段中共有 ${n} 个`],
  [/^(\d+) of (\d+) shingles shared$/, (n, m) => `${m} 个片段中共有 ${n} 个`],
  [/^(\d+) shingles shared, weighing (\S+) of (\S+)$/, (n, w, all) => `共有 ${n} 个片段，权重 ${w}，总计 ${all}`],
  [/^(\d+) of (\d+) values agree$/, (n, m) => `${m} 个值中有 ${n} 个一致`],
  [/^(\d+) of (\d+) hashes sampled agree$/, (n, m) => `抽取的 ${m} 个哈希值中有 ${n} 个一致`],
  [/^(\d+) shared terms of (\d+) and (\d+)$/, (n, a, b) => `共有 ${n} 个词项，两篇各有 ${a} 与 ${b} 个`],
  [/^(\d+) fingerprints shared, of (\d+) and (\d+)$/, (n, a, b) => `共有 ${n} 个指纹，两篇各有 ${a} 与 ${b} 个`],
  [/^equal checksum and size$/, () => "校验和与大小相同"],
  [/^a text without features is like no other$/, () => "没有特征的文本与任何文本都不相似"],
  [/^(\d+) and (\d+) of (\d+) bits set \((\S+) and (\S+)\), (\d+) in both, raw ratio (\S+)$/, (a, b, m, pa, pb, n, r) => `${m} 位中分别置位 ${a} 与 ${b}（${pa} 与 ${pb}），共有 ${n}，原始比值 ${r}`],
  [/^saturated: together they have all bits set, so the score is a guess \(in truth (\d+) features are shared\)$/, (n) => `已饱和：两者合起来所有位都已置位，分数只是猜测（实际共有 ${n} 个特征）`],
  [/^about (\S+) and (\S+) features, (\S+) shared \(in truth (\d+)\)$/, (a, b, n, m) => `估计各有 ${a} 与 ${b} 个特征，共有 ${n} 个（实际 ${m} 个）`],
  [/^no features in one of the texts$/, () => "有一篇没有特征"],
  [/^h=(\d+) of (\d+) bits(?: \((.*)\))?, cos about (\S+)$/, (h, m, list, cos) => `海明距离 ${h}，共 ${m} 位${list ? `（第 ${list.replaceAll(", ", "、")} 位不同）` : ""}，余弦约 ${cos}`],
  [/^an empty text is like no other$/, () => "空文本与任何文本都不相似"],
  [/^a run of (\d+) characters, of (\d+) and (\d+)$/, (n, a, b) => `连续相同 ${n} 个字符，两篇各 ${a} 与 ${b} 个`],
  [/^(\d+) edits between (\d+) and (\d+) characters$/, (n, a, b) => `${a} 与 ${b} 个字符之间需 ${n} 次编辑`],
  [/^(\d+) characters in the same order, of (\d+) and (\d+)$/, (n, a, b) => `顺序相同的 ${n} 个字符，两篇各 ${a} 与 ${b} 个`],
  [/^(\d+) terms shared, of (\d+) and (\d+): (\S+) of the fewer$/, (n, a, b, p) => `共有 ${n} 个词项，两篇各有 ${a} 与 ${b} 个：占较少一方的 ${p}`],
  [/^(\d+) and (\d+) terms with repeats: sizes within (\S+)$/, (a, b, p) => `含重复各 ${a} 与 ${b} 个词项：大小相差不超过 ${p}`],
  [/^(\S+) (\S+) \(weight (\S+)\)$/, (spec, s, w) => `${spec} ${s}（权重 ${w}）`],
  [/^probability (\S+)$/, (p) => `概率 ${p}`],
];

// chinese returns the parts of a note, each {text, lang}.
export function chinese(note) {
  return note.split("; ").map((part) => {
    for (const [form, say] of forms) {
      const m = part.match(form);
      if (m) return { text: say(...m.slice(1)), lang: "zh" };
    }
    return { text: part, lang: "en" };
  });
}
