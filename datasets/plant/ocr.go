package plant

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// latinLookalikes lists what is taken for what, in the direction read → written.
// The pairs are those that proofreaders of scanned books report again and again
// (rn/m, cl/d, ri/n, vv/w, e/c, h/b, 1/l/I, 0/O, 5/S, 2/Z, ...); every letter has
// at least one.
const latinLookalikes = `rn m  m rn  cl d  d cl  ri n  n ri  vv w  w vv  ii u  u ii  li h  h li  fi fl  th tb
a o  b h  c e  e c  f t  g q  h b  i l  j i  k lc  l 1  n u  o 0  p n  q g  r t  s 5  t f  u n  v y  x z  y v  z 2
A R  B 8  C G  D O  E F  F P  G 6  H N  I l  J ]  K R  L I  M N  N M  O 0  P F  Q O  R B  S 5  T I  U V  V Y  W V  X K  Y V  Z 2
0 O  1 l  2 Z  3 8  4 A  5 S  6 G  7 1  8 B  9 g`

// chineseLookalikes are groups of characters that differ in a stroke or a part
// and are confused in print and in writing. The choice is our own; most
// characters are common ones, nearly all simplified.
const chineseLookalikes = `己已巳 未末 日曰目 人入八 大太犬 土士 干千于 田由甲申 天夫无 木本术 今令 见贝 夕歹 力刀 心必 水永 王玉主 白自 右石 冶治 拆折析 免兔 侯候 辨辩 代伐 矢失 午牛 又叉
风凤 乌鸟 住往佳 时对 待侍特持 城域 海悔 明朋 山出 大丈 上土 下不 了子 个介 中串 为办 主生 也他 亡云 予矛 井开 从丛 仅仪 今会 元无 儿几 兵乒 再冉
冷泠 准淮 刺剌 刻核 北比 十干 卖买 厂广 原厚 友反 古右 只兄 史吏 号弓 各名 向同 吴昊 问间 响晌 哀衰 哪那 因困 园圆 坐座 坏杯 坚竖 垂乘 埋理
墙樯 壮状 处外 多名 夸夺 如加 妹昧 姑枯 季李 孩核 守宁 完宗 官宫 实买 客容 宣宜 密蜜 尤龙 尺尽 层屋 峰锋 工二 左在 币市 师帅 带常 平乎 年午
底低 度席 延廷 弟第 形刑 彼被 徒徙 得碍 德听 忙忘 快块 思恩 怕伯 性姓 情清 惊凉 意竟 慢漫 成戒 我找 戊戌 户尸 手毛 抄妙 抗坑 抢枪 拔拨 招昭
括活 指脂 换唤 据剧 排徘 接按 推堆 提堤 摸模 操燥 收改 放故 政攻 教救 文交 斤斥 料科 方万 旅族 早旱 是昰 晴睛 暑署 更吏 有存 服报 林材 果呆
枝技 某其 查杳 柔桑 栗粟 样祥 根很 格洛 桃挑 梁粱 棵裸 楼搂 次欢 止正 此些 死列 母毋 民氏 气乞 汁计 汗污 江红 法去 注住 洒酒 洗冼 流琉 浅钱
测侧 浪狼 深探 渴喝 温湿 满瞒 演寅 灭火 炮泡 热执 爪瓜 父交 版板 牧枚 物场 狠狼 珠株 班斑 球求 瑞端 瓦互 甩用 电申 男另 画面 界介 略格 皿血
直真 看着 眼银 知如 社杜 祖租 种钟 秦泰 移侈 究穷 空究 立位 竞竟 笔毛 等第 管菅 粒拉 精情 系糸 约药 级极 纪记 织积 经轻 结给 绝艳 维唯 绿录
缘绿 编偏 罪置 者著 而面 耳目 职织 肉内 育盲 胜性 能熊 脑恼 自目 至到 舟丹 良艮 芽牙 苦若 英央 茶荼 草早 荣菜 获荻 蓝篮 虑虎 虚虎 行往 衣农
表麦 补扑 裁栽 要耍 角用 认以 论沦 设没 诉拆 词饲 该孩 语悟 说税 请清 读续 谁准 谈淡 象像 货贷 贪贫 赏常 走足 起超 距矩 路各 跳挑 车东 轮抡
较校 辛幸 边过 远近 连莲 送迭 通桶 逐遂 速束 道遣 遍偏 部陪 都者 配酌 采来 里量 重童 野予 错借 镇填 长张 门们 闭闲 问同 闻间 阳阴 降除 限根
院完 险检 陪倍 隐稳 难推 雪雷 青责 静净 非菲 项顷 须顺 预项 领顿 题提 飞气 食良 饮次 馆管 马鸟 高亮 鸣呜 黑墨 鼓豉 風鳳 鳥烏島 東柬 見貝 門鬥
間問聞 時侍 來夾 爲焉 書晝畫 車軍 國圖 远运 考老`

// lookalikes are the misreadings of a piece of text.
type lookalikes struct {
	latin   map[string][]string // of one or two letters
	chinese map[rune][]rune
}

var confusions = sync.OnceValue(func() lookalikes {
	l := lookalikes{latin: map[string][]string{}, chinese: map[rune][]rune{}}
	f := strings.Fields(latinLookalikes)
	for i := 0; i+1 < len(f); i += 2 {
		l.latin[f[i]] = append(l.latin[f[i]], f[i+1])
	}
	for _, group := range strings.Fields(chineseLookalikes) {
		for _, a := range group {
			for _, b := range group {
				if a != b {
					l.chinese[a] = append(l.chinese[a], b)
				}
			}
		}
	}
	return l
})

// confusable reports whether a unit has a lookalike.
func confusable(unit string) bool {
	c := unit[0]
	if c < utf8.RuneSelf {
		return c != '_' // every letter and digit has one
	}
	r, size := utf8.DecodeRuneInString(unit)
	return size == len(unit) && confusions().chinese[r] != nil
}

// illegible stands for a character that could not be read, as in the transcripts
// of old Chinese prints.
const illegible = "□"

// misread writes the unit as it looks.
func (e *editor) misread(unit string) bool {
	l := confusions()
	c, size := utf8.DecodeRuneInString(unit)
	if others := l.chinese[c]; size == len(unit) && len(others) > 0 {
		e.putNew(string(others[e.r.Below(len(others))]))
		return true
	}
	// Of the places in a word that can be misread one is; two letters that look
	// like one are taken first where they meet, as they are rarer.
	from := e.r.Below(len(unit))
	for i := range len(unit) {
		at := (from + i) % len(unit)
		for _, n := range []int{2, 1} {
			if at+n > len(unit) {
				continue
			}
			if others := l.latin[unit[at:at+n]]; len(others) > 0 {
				e.putNew(unit[:at] + others[e.r.Below(len(others))] + unit[at+n:])
				return true
			}
		}
	}
	if size == len(unit) {
		e.putNew(illegible)
		return true
	}
	// A word of another script loses a character.
	runes := []rune(unit)
	at := e.r.Below(len(runes))
	e.putNew(string(runes[:at]) + string(runes[at+1:]))
	return true
}
