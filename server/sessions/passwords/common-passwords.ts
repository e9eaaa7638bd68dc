/**
 * Passwords that attackers try first, in lower case, generated the way people make them: a common word, an ending that
 * satisfies a rule for digits, letters replaced by similar digits. A list of stolen passwords would hold the same words
 * and be other people's data.
 */
const words = `
password passwort passport parola contrasena motdepasse senha passe secret secrets changeme letmein welcome willkommen
bienvenue hello goodbye login signin access master admin administrator root user guest test tester testing default
trustno qwerty qwertz azerty qwertyui qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc abcd
abcde abcdef abcdefg abcdefgh abcabc alphabet computer laptop internet samsung iphone android google facebook
instagram whatsapp youtube microsoft windows linux apple amazon netflix pokemon minecraft starwars superman batman
spiderman ironman pikachu naruto matrix hunter killer shadow dragon monkey tiger tigger lion eagle falcon phoenix wolf
panther cheetah turtle dolphin butterfly unicorn kitten kitty puppy buddy charlie bailey ginger pepper cookie chocolate
banana orange cherry peaches strawberry pumpkin cheese coffee whiskey freedom liberty peace love lovely loveme iloveyou
lover babygirl baby princess prince queen king angel angels heaven jesus christ god blessed faith hope grace destiny
forever always summer winter spring autumn january february march april june july august september october november
december monday tuesday wednesday thursday friday saturday sunday morning sunshine sunset rainbow flower rose lily
jasmine diamond crystal silver golden platinum purple yellow green black white red blue football soccer baseball
basketball hockey tennis golf rugby cricket running fitness yankees cowboys lakers bulls eagles steelers packers
liverpool chelsea arsenal manchester barcelona realmadrid juventus bayern milan london paris berlin madrid rome moscow
newyork boston chicago dallas texas california florida america england france germany spain italy russia india china
japan canada australia brazil mexico dubai cyprus malta greece turkey michael jordan jennifer jessica michelle nicole
amanda ashley daniel david robert thomas william joshua matthew andrew anthony joseph richard george maria anna sarah
laura linda barbara patricia alexander alexandra alex maxwell max sam samantha ali ahmed mohamed mohammed fatima omar
carlos juan jose pedro ivan dmitri olga natasha sergey wang zhang kumar singh mustang ferrari porsche mercedes corvette
harley yamaha honda toyota bmw trader traders trading invest investor money dollar dollars euro bitcoin crypto ethereum
forex profit rich richer million millionaire billion bank banking broker brokerage account market markets metatrader
finance wallet wealth cash gold oil stocks bull bear office company business manager boss student school college
teacher family mother father mommy daddy brother sister friend friends house garden dream dreamer music guitar piano
rock metal magic wizard ninja samurai warrior soldier soldiers army navy police doctor nurse hospital star galaxy moon
earth fire water thunder lightning storm snow ocean beach island mountain river`
  .trim()
  .split(/\s+/)

const years = Array.from({ length: 101 }, (_, index) => String(1940 + index))
const runs =
  '1 12 123 1234 12345 123456 1234567 12345678 123456789 0 00 000 01 007 10 11 111 1111 2 21 22 23 321 4321 69 7 77 777 88 99 100'
const endings = [...years, ...runs.split(' ')].flatMap((tail) => [
  tail,
  `${tail}!`,
  `!${tail}`,
  `@${tail}`,
  `#${tail}`,
  `-${tail}`,
  `_${tail}`,
  `.${tail}`,
  `${tail}?`,
  `${tail}.`,
])

/** Keyboard patterns, which no word with an ending makes. */
const walks = `
1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1xsw2 q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 123qweasd 123qweasdzxc 1234qwer 123qwe123
qwer1234 asdf1234 zxcv1234 qwe123456 abc12345 abc123456 a1234567 a12345678 a123456789 aa123456 aa12345678 a1b2c3d4
a1b2c3d4e5 abcd1234 1234abcd 12345abc 123456aa 123abc123 abc123abc q123456789 z123456789 p@ssw0rd qwerty12 12qwaszx`
  .trim()
  .split(/\s+/)

const fronts = ['1', '12', '123', '1234']

/** All of them, some hundred thousand, for tests: the lookup below checks the parts, since the list would take forty megabytes. */
export function* listCommonPasswords(): Iterable<string> {
  for (const word of words) {
    for (const ending of endings) yield word + ending
    for (const front of fronts) yield front + word
  }
  yield* walks
}

const parts = { words: new Set(words), endings: new Set(endings), fronts: new Set(fronts), walks: new Set(walks) }

function isListed(password: string): boolean {
  if (parts.walks.has(password)) return true
  for (let cut = 1; cut < password.length; cut += 1) {
    const [front, back] = [password.slice(0, cut), password.slice(cut)]
    if (parts.words.has(front) && parts.endings.has(back)) return true
    if (parts.fronts.has(front) && parts.words.has(back)) return true
  }
  return false
}

const lookalikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
  '@': 'a',
  '!': 'i',
}

/** `P@ssw0rd2026` becomes `password2026`: replaces look-alikes up to the last real letter. */
function readAsWord(password: string): string {
  const end = password.search(/(?<!\P{L})\P{L}*$/u)
  return password.slice(0, end).replace(/[013457$@!]/g, (found) => lookalikes[found] ?? found) + password.slice(end)
}

export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  if (isListed(lower) || isListed(readAsWord(lower))) return true
  // One repeated character, with or without digits at the end.
  return new Set(lower.replace(/\d{1,4}$/, '')).size <= 1 || new Set(lower).size <= 2
}
