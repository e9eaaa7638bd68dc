type Names = { given: readonly string[]; settings: readonly string[]; secrets: readonly string[] }

/**
 * Variables that Kubernetes sets in every container for a service called "atrium" or "atrium-web", and those that
 * simulators, tests and benchmarks read.
 */
const ofOthers = /^ATRIUM_((\w+_)?(SERVICE_(HOST|PORT)|PORT)(_|$)|(SIMULATOR|TEST|BENCH)_)/

/**
 * Variables that no setting reads; `misspelt`: a likely misspelling of a setting; `unknown`: has our prefix and
 * resembles no setting.
 */
export function findMisspelt({ given, settings, secrets }: Names): { misspelt: string[]; unknown: string[] } {
  const files = secrets.map((name) => `${name}_FILE`)
  const known = [...settings, ...files]
  const isSet = (name: string) => given.includes(name) || given.includes(`${name}_FILE`)
  const misspelt: string[] = []
  const unknown: string[] = []
  for (const name of given.filter((each) => !known.includes(each))) {
    const isOurs = name.startsWith('ATRIUM_')
    const withoutFile = name.replace(/_FILE$/, '')
    const meant = known.find((each) => isSlipOf(name, each))
    if (withoutFile !== name && withoutFile.length >= shortMin && settings.includes(withoutFile))
      misspelt.push(`${name}: only what is secret is read from a file; set ${withoutFile}`)
    // Other programs have similar names: a name without our prefix is theirs when the similar setting is set.
    else if (meant && (isOurs || !isSet(meant.replace(/_FILE$/, ''))))
      misspelt.push(`${name}: there is no such setting; ${meant} may be meant`)
    else if (isOurs && !ofOthers.test(name)) unknown.push(`${name} is set, and there is no such setting`)
  }
  return { misspelt, unknown }
}

/** HOME is no misspelling of HOST: names under `shortMin` letters allow no slip, those from `longMin` two. */
const shortMin = 8
const longMin = 12

function isSlipOf(name: string, known: string): boolean {
  const slipsMax = known.length < shortMin ? 0 : known.length < longMin ? 1 : 2
  return Math.abs(name.length - known.length) <= slipsMax && slipsBetween(name.toUpperCase(), known) <= slipsMax
}

/** The number of missing, extra, replaced or transposed letters. */
function slipsBetween(left: string, right: string): number {
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row += 1) {
    const here = [row]
    for (let at = 1; at <= right.length; at += 1) {
      const isOther = left[row - 1] !== right[at - 1]
      const isSwapped = row > 1 && at > 1 && left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1]
      here[at] = Math.min(
        (above[at] ?? 0) + 1,
        (here[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + Number(isOther),
        isSwapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = above
    above = here
  }
  return above[right.length] ?? 0
}
