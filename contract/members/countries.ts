/**
 * ISO 3166-1 alpha-2 codes, and XK: the code that banks, CLDR and the European Commission use for Kosovo until ISO assigns one.
 * A country's id on the wire is its code: it is the same in every workspace and never changes.
 */
export const countryCodes = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC ' +
  'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD ' +
  'GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH ' +
  'KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW ' +
  'MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC ' +
  'SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY ' +
  'UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ')

/** Created on first use: it loads a table that takes a browser several milliseconds, and most pages show no names. */
let names: Intl.DisplayNames | undefined

function displayName(code: string): string {
  names ??= new Intl.DisplayNames(['en'], { type: 'region' })
  return names.of(code) ?? code
}

export type Country = { _id: string; name: string; alpha_2: string }

/** The English name for lists; an unknown code is returned as it is. */
export const countryName = (code: string): string => (countryCodes.includes(code) ? displayName(code) : code)

/** City states, islands and small countries whose addresses have no state or province. */
const withoutStates = new Set(
  (
    'AD AG AI AQ AW AX BB BH BL BM BN BQ BV CC CK CW CX CY DJ DK DM EE EH FK FO GD GG GI GL GM GP GS HK HM IL IM IO IS JE ' +
    'KM KN KW KY LC LI LT LU LV MC ME MF MH MK MO MQ MS MT MU MV NC NF NR NU NZ PF PM PN PR PS QA RE SC SG SH SI SJ SM ST ' +
    'SX SZ TC TF TK TO TT TV VA VC VG VI VU WF WS XK YT'
  ).split(' '),
)
/** Whether addresses in a country have a state or province; true without a country. */
export const hasStates = (country: string): boolean => !withoutStates.has(country)

export function countryByCode(code: string | null): Country | null {
  if (code === null || !countryCodes.includes(code)) return null
  return { _id: code, name: countryName(code), alpha_2: code }
}

export function allCountries(): Country[] {
  return countryCodes
    .map((code) => ({ _id: code, name: countryName(code), alpha_2: code }))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'))
}
