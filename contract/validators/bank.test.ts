// spec: AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bankAccountInput } from '../banking/calls.ts'
import { allCountries, hasStates } from '../members/countries.ts'
import { countryOfIban, normalizeIban, placeConflicts, validateBic, validateIban } from './bank.ts'
import { validatorTexts } from './messages.ts'

/** The examples of the ISO 13616 registry, one for each of its countries. */
const examples = (
  'AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201 ' +
  'AZ21NABZ00000000137010001944 BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 ' +
  'BH67BMAG00001299123456 BI4210000100010000332045181 BR9700360305000010009795493P1 BY13NBRB3600900000002Z00AB00 ' +
  'CH9300762011623852957 CR72012300000171549015 CY17002001280000001200527600 CZ6508000000192000145399 ' +
  'DE89370400440532013000 DJ2100010000000154000100186 DK5000400440116243 DO28BAGR00000001212453611324 ' +
  'EE382200221020145685 EG380019000500000000263180002 ES9121000418450200051332 FI2112345600000785 ' +
  'FK88SC123456789012 FO6264600001631634 FR1420041010050500013M02606 GB29NWBK60161331926819 ' +
  'GE29NB0000000101904917 GI75NWBK000000007099453 GL8964710001000206 GR1601101250000000012300695 ' +
  'GT82TRAJ01020000001210029690 HN88CABF00000000000250005469 HR1210010051863000160 HU42117730161111101800000000 ' +
  'IE29AIBK93115212345678 IL620108000000099999999 IQ98NBIQ850123456789012 IS140159260076545510730339 ' +
  'IT60X0542811101000000123456 JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101 ' +
  'KZ86125KZT5004100100 LB62099900000001001901229114 LC55HEMM000100010012001200023015 LI21088100002324013AA ' +
  'LT121000011101001000 LU280019400644750000 LV80BANK0000435195001 LY83002048000020100120361 ' +
  'MC5811222000010123456789030 MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984 ' +
  'MN121234123456789123 MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S ' +
  'MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124 NL91ABNA0417164300 NO9386011117947 ' +
  'OM810180000001299123456 PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702 ' +
  'PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 RS35260005601001611379 ' +
  'RU0304452522540817810538091310419 SA0380000000608010167519 SC18SSCB11010000000000001497USD SD8811123456789012 ' +
  'SE4550000000058398257466 SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100 ' +
  'SO211000001001000100141 ST68000100010051845310112 SV62CENR00000000000000700025 TL380080012345678910157 ' +
  'TN5910006035183598478831 TR330006100519786457841326 UA213223130000026007233566001 VA59001123000012345678 ' +
  'VG96VPVG0000012345678901 XK051212012345678906 YE15CBYE0001018861234567891234'
).split(' ')

const refused = (value: string) => assert.equal(validateIban(value), validatorTexts.iban, value)

describe('an IBAN', () => {
  it('is accepted for each country of the registry, grouped or not', () => {
    assert.equal(new Set(examples.map((iban) => iban.slice(0, 2))).size, 89)
    for (const iban of examples) {
      assert.equal(validateIban(iban), null, iban)
      const printed = iban.toLowerCase().replace(/(.{4})/g, '$1 ')
      assert.equal(validateIban(printed), null, printed)
      assert.equal(normalizeIban(printed), iban)
    }
  })

  it('is refused with one changed digit or two swapped neighbouring digits', () => {
    for (const iban of examples)
      for (let at = 2; at < iban.length; at++) {
        const char = iban.charAt(at)
        const other = char === '9' ? '0' : String(Number.isNaN(Number(char)) ? 'Q' : Number(char) + 1)
        if (other !== char) refused(iban.slice(0, at) + other + iban.slice(at + 1))
        const next = iban.charAt(at + 1)
        // A letter counts as two digits, so that B1 and 1B are the same number.
        if (/^\d\d$/.test(char + next) && next !== char) refused(iban.slice(0, at) + next + char + iban.slice(at + 2))
      }
  })

  it('is refused with a wrong length for its country, even with valid check digits', () => {
    for (const iban of examples) {
      refused(iban.slice(0, -1))
      refused(`${iban}0`)
    }
  })

  it('is refused for an unknown country and with impossible check digits', () => {
    for (const iban of ['ZZ1200012030200359100100', 'US64SVBKUS6S3300958879', 'FR', 'DE00', '12345678901234567890'])
      refused(iban)
    // 98, 97 and 96 are congruent to 01, 00 and 99.
    for (const [check, twin] of [
      ['00', '97'],
      ['01', '98'],
      ['99', '02'],
    ])
      for (const iban of examples.filter((each) => each.slice(2, 4) === twin))
        refused(iban.slice(0, 2) + check + iban.slice(4))
  })

  it('gives its country once it is valid', () => {
    assert.equal(countryOfIban('de89 3704 0044 0532 0130 00'), 'DE')
    assert.equal(countryOfIban('DE89 3704 0044 0532 0130 01'), null)
    assert.equal(
      countryOfIban('XK051212012345678906'),
      'XK',
      'Kosovo has IBANs, with a code that ISO has not assigned yet',
    )
    assert.equal(countryOfIban(' '), null)
  })

  it('may contain any number of spaces', () => {
    assert.equal(validateIban([...'DE89370400440532013000'].join('\u00a0 \t')), null)
  })

  it('is refused with separators other than spaces', () => {
    for (const iban of ['DE89-3704-0044-0532-0130-00', 'DE89.370400440532013000', 'DE8937040044053201300\u0660'])
      refused(iban)
  })

  it('gives no error while it is empty', () => {
    for (const empty of ['', ' ', '\t']) assert.equal(validateIban(empty), null)
  })
})

describe('a BIC of ISO 9362', () => {
  for (const bic of [
    'DEUTDEFF',
    'DEUTDEFF500',
    'NEDSZAJJXXX',
    'DABADKKK',
    'UNCRITMM',
    'DSBACNBXSHA',
    'NCBVXKPR',
    'DEUT DEFF',
    'vallmtmt',
  ])
    it(`accepts ${bic}`, () => assert.equal(validateBic(bic), null))
  for (const bic of [
    'DEUTDEF',
    'DEUTDEFF5',
    'DEUTDEFF50',
    'DEUTDEFF5000',
    'DEUTD1FF',
    'DEUTQQFF',
    // The standard allows digits in the institution code; none was ever assigned, and the library refuses them.
    'E097AEXX',
    'DEUT-EFF',
    'DEUTDEFÉ',
    'ＤＥＵＴＤＥＦＦ',
    'DEUTDEFF\u0000',
  ])
    it(`refuses ${JSON.stringify(bic)}`, () => assert.equal(validateBic(bic), validatorTexts.bic))
})

/** Registry examples: IBAN, BIC, country of the bank, and the fields reported as different. */
const places: [iban: string, bic: string, country: string, fields: string[]][] = [
  ['DE89370400440532013000', 'DEUTDEFF', 'DE', []],
  ['DE89370400440532013000', 'OPAHGB22', 'DE', ['swift']],
  ['GB29NWBK60161331926819', 'NWBKGB2L', 'DE', ['country']],
  ['GB29NWBK60161331926819', 'DEUTDEFF', 'DE', ['swift', 'country']],
  ['', 'OPAHGB22', 'DE', ['country']],
  ['', 'BOFAUS3N', 'US', []],
  ['XK051212012345678906', 'NCBVXKPR', 'XK', []],
  ['RS35260005601001611379', 'NCBVXKPR', 'RS', ['swift']],
  // Territories whose banks belong to the system of another country.
  ['GB29NWBK60161331926819', 'NWBKJES1', 'JE', []],
  ['GB29NWBK60161331926819', 'NWBKGB2L', 'IM', []],
  ['GB29NWBK60161331926819', 'RBOSGGSX', 'GG', []],
  ['FR1420041010050500013M02606', 'BNPAFRPP', 'RE', []],
  ['FR1420041010050500013M02606', 'CRLYFRPP', 'MC', []],
  ['FR1420041010050500013M02606', 'SOGENCNX', 'NC', []],
  ['FI2112345600000785', 'AABAFI22', 'AX', []],
  ['ES9121000418450200051332', 'CAIXESBB', 'AD', ['country']],
  // Incomplete values are reported by their own validators.
  ['DE89', 'OPAHGB22', '', []],
  ['DE89370400440532013000', 'OPAH', 'DE', []],
]

describe('the countries of an IBAN, a BIC and a bank', () => {
  for (const [iban, bic, country, fields] of places)
    it(`${iban} ${bic} ${country} ${fields.length > 0 ? 'differ' : 'agree'}`, () =>
      assert.deepEqual(
        placeConflicts({ iban, bic, country }).map(({ field }) => field),
        fields,
      ))

  it('are named in the error, and accepted once the member confirms them', () => {
    const account = {
      ...{
        currency: 'EUR',
        account_holder: 'Mara Hart',
        bank_name: 'Bank',
        address_line_1: '1 Street',
        city: 'Berlin',
      },
      ...{ state: 'Berlin', country: 'DE', iban_number: 'DE89370400440532013000', swift: 'OPAHGB22' },
    }
    const { error } = bankAccountInput.safeParse(account)
    assert.deepEqual(
      error?.issues.map(({ path, message }) => [path, message]),
      [
        [
          ['swift'],
          'The countries differ: IBAN Germany, SWIFT / BIC United Kingdom. Check both, or confirm that they are right.',
        ],
      ],
    )
    assert.equal(bankAccountInput.safeParse({ ...account, countries_confirmed: true }).success, true)
    assert.equal(bankAccountInput.safeParse({ ...account, countries_confirmed: false }).success, false)
  })
})

describe('the list of countries', () => {
  it('contains Kosovo by its common code', () => {
    const { name } = allCountries().find(({ alpha_2 }) => alpha_2 === 'XK') ?? {}
    assert.equal(name, 'Kosovo')
    assert.equal(new Set(allCountries().map(({ name }) => name)).size, 250)
  })

  it('knows where a bank has a state or province, and requires it only there', () => {
    const stateless = ['MT', 'SG', 'MC', 'LU', 'XK', 'CY', 'IS', 'GI', 'HK']
    for (const code of stateless) assert.equal(hasStates(code), false, code)
    for (const code of ['US', 'DE', 'AU', 'CA', 'IN', 'BR', 'CH', 'IT', 'ES', ''])
      assert.equal(hasStates(code), true, code)
    const asked = (country: string, state?: string | null) =>
      bankAccountInput.safeParse({ country, state }).error?.issues.some(({ path }) => path[0] === 'state')
    for (const code of stateless)
      assert.deepEqual([asked(code), asked(code, ''), asked(code, null)], [false, false, false])
    assert.deepEqual([asked('US'), asked('US', ' '), asked('US', 'Ohio'), asked('')], [true, true, false, true])
  })
})
