import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { normalizeIdentifier } from '../validators/identifier.ts'
import { fundAccountInput, storedFundAccount } from './calls.ts'
import { fitsTag, fitsWallet, isAddress, judgedCoins } from './coin-addresses.ts'

/** Published addresses from standards, networks' documentation, wallets and explorers. */
const published: Record<string, readonly string[]> = {
  ADA: [
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k',
    'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi',
    'DdzFFzCqrhsfdzUZxvuBkhV8Lpm9p43p9ubh79GCTkxJikAjKh51qhtCFMqUniC5tv5ZExyvSmAte2Du2tGimavSo6qSgXbjiy8qZRTg',
  ],
  AKT: ['akash1365yvmc4s7awdyj3n2sav7xfx76adc6dnmlx63'],
  ALGO: [
    'Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA',
    '737777777777777777777777777777777777777777777777777UFEJ2CI',
  ],
  ATOM: ['cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'],
  AVAX: ['0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7', 'X-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5'],
  BCH: [
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
    'qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy',
    'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
    '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu',
  ],
  BNB: ['0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'bnb1grpf0955h0ykzq3ar5nmum7y6gdfl6lxfn46h2'],
  BSV: ['1BitcoinEaterAddressDontSendf59kuE'],
  BTC: [
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  DAI: ['0x6B175474E89094C44Da98b954EedeAC495271d0F'],
  DASH: [
    'XpESxaUmonkq8RaLLp46Brx2K39ggQe226',
    'XwnLY9Tf7Zsef8gMGL2fhWA9ZmMjt4KPwg',
    '7gnwGHt17heGpG9Crfeh4KGpYNFugPhJdh',
  ],
  DOGE: [
    'DEa7damK8MsbdCJztidBasZKVsDLJifWfE',
    'D7Y55r6Yoc1G8EECxkQ6SuSjTgGJJ7M6yD',
    'A6T5s5B1Saja9yAJWxQN8SNXvNzxaoFdcy',
  ],
  DOT: ['12xtAYsRUrmbniiWQqJtECiBQrMn8AypQcXhnQAc6RB6XkLW', '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fg'],
  EGLD: ['erd1qyu5wthldzr8wx5c9ucg8kjagg0jfs53s8nr3zpz3hypefsdd8ssycr6th'],
  ETC: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ETH: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ],
  LTC: [
    'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
    'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441',
    '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  ],
  MATIC: ['0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0'],
  OSMO: [
    'osmo1cyyzpxplxdzkeea7kwsydadg87357qnahakaks',
    'osmo14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9sq2r9g9',
  ],
  POL: ['0x455e53CBB86018Ac2B8092FdCd39d8444aFFC3F6'],
  RUNE: ['thor1g98cy3n9mmjrpn0sxmn63lztelera37n8n67c0', 'thor1dheycdevq39qlkxs2a6wuuzyn4aqxhve4qxtxt'],
  RVN: ['RXissueAssetXXXXXXXXXXXXXXXXXhhZGt', 'RXBurnXXXXXXXXXXXXXXXXXXXXXXWUo9FV'],
  SOL: ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'So11111111111111111111111111111111111111112'],
  TON: [
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
    'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
    'EQDtFpEwcFAEcRe5mLVh2N6C0x+/hJEM7W61/JLnSF74p4q2',
    'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF',
  ],
  TRX: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  USDC: ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
  USDT: ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  XLM: [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
  ],
  XMR: [
    '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
    '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
    '4LL9oSLmtpccfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2bYXZKKQePHES9khPK',
  ],
  XRP: [
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
    'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
    'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi',
  ],
  XTZ: [
    'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
    'tz2TSvNTh2epDMhZHrw73nV9piBX7kLZ9K9m',
    'tz3RDC3Jdn4j15J7bBHZd29EUee9gVB1CxD9',
    'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn',
  ],
  ZEC: [
    't1VShHAhsQc5RVndQLyM1ZbQXLHKd35GkG1',
    't3Vz22vK5z2LcKEdg16Yv4FFneEL1zg9ojd',
    'zs1z7rejlpsa98s2rrrfkwmaxu53e4ue0ulcrw0h4x5g8jl04tak0d3mm47vdtahatqrlkngh9slya',
    'u1l8xunezsvhq8fgzfl7404m450nwnd76zshscn6nfys7vyz2ywyh4cc5daaq0c7q2su5lqfh23sp7fkf3kt27ve5948mzpfdvckzaect2jtte308mkwlycj2u0eac077wu70vqcetkxf',
  ],
}

/** Formats without a checksum: a changed character is not detected. */
const withoutChecksum = [
  ['SOL', published.SOL ?? []],
  ['ETH', ['0xde709f2102306220921060314715629080e2fb77', '0x52908400098527886E0F7030069857D2E4169EE7']],
] as const

const replacements = ['2', '9', 'a', 'e', 'q', 'z', 'B', 'F', 'T', 'X']

describe('the checksum of an address', () => {
  it('has published addresses of every validated coin', () => {
    assert.deepEqual(Object.keys(published).sort(), [...judgedCoins].sort())
  })

  for (const [coin, addresses] of Object.entries(published))
    it(`accepts the published addresses of ${coin}`, () => {
      for (const address of addresses) assert.equal(isAddress(coin, address), true, address)
    })

  for (const [coin, addresses] of Object.entries(published).filter(([name]) => name !== 'SOL'))
    it(`detects any changed character of ${coin}`, () => {
      for (const address of addresses)
        for (const wrong of changedOnce(address)) assert.equal(isAddress(coin, wrong), false, wrong)
    })

  it('detects two swapped neighbours, and a missing or extra character', () => {
    for (const [coin, addresses] of Object.entries(published).filter(([name]) => name !== 'SOL'))
      for (const address of addresses)
        for (const wrong of slips(address)) assert.equal(isAddress(coin, wrong), false, wrong)
  })

  it('checks only length and alphabet of formats without a checksum', () => {
    for (const [coin, addresses] of withoutChecksum)
      for (const address of addresses) {
        assert.equal(isAddress(coin, address), true, address)
        assert.equal(isAddress(coin, address.slice(0, -3)), false, address)
        assert.equal(isAddress(coin, `${address.slice(0, -1)}l`), false, address)
      }
    const [key = ''] = published.SOL ?? []
    assert.equal(isAddress('SOL', `${key.slice(0, -1)}w`), true)
  })

  it('follows EIP-55: accepts letters of a single case, rejects one letter of the wrong case', () => {
    const [address = ''] = published.ETH ?? []
    assert.equal(isAddress('ETH', address.toLowerCase()), true)
    assert.equal(isAddress('ETH', `0x${address.slice(2).toUpperCase()}`), true)
    for (let at = 2; at < address.length; at += 1) {
      const letter = address[at] ?? ''
      const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
      if (other !== letter) assert.equal(isAddress('ETH', address.slice(0, at) + other + address.slice(at + 1)), false)
    }
  })
})

describe('an address of a token that has no formats of its own', () => {
  const [address = ''] = published.ETH ?? []
  const other = address.replace('b6053', 'B6053')

  it('has the checksum of networks like Ethereum, where it has their format', () => {
    for (const coin of ['LINK', 'SHIB', 'UNI', 'ARB', 'WBTC']) {
      assert.deepEqual([isAddress(coin, address), isAddress(coin, address.toLowerCase())], [true, true], coin)
      assert.deepEqual([isAddress(coin, other), isAddress(coin, `\u200b${other}`)], [false, false], coin)
    }
    assert.equal(fitsWallet('LINK.ERC20', { currency: 'LINK', address: other }), false)
  })

  it('is not judged in another format, nor on a network with a checksum of its own', () => {
    for (const text of ['whatever', `${address}00`, 'kava1qqq', '0.0.12345'])
      assert.equal(isAddress('KAVA', text), true)
    assert.equal(isAddress('RIF', '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD'), true)
    assert.equal(isAddress('ZIL', '0x4BAF5faDA8e5Db92C3d3242618c5B47133AE003C'), true)
  })
})

function changedOnce(address: string): string[] {
  return [...address].flatMap((letter, at) =>
    replacements.filter((one) => one !== letter).map((one) => address.slice(0, at) + one + address.slice(at + 1)),
  )
}

function slips(address: string): string[] {
  const swapped = [...address].flatMap((letter, at) => {
    const next = address[at + 1]
    return next === undefined || next === letter ? [] : [address.slice(0, at) + next + letter + address.slice(at + 2)]
  })
  return [...swapped, address.slice(0, -1), address.slice(1), `${address}a`, `1${address}`]
}

/** Coin, address, and the error. */
const refused: readonly [coin: string, address: string, why: string][] = [
  ['BTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'the last character'],
  ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdQ', 'mixed case'],
  ['BTC', 'Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mixed case in the prefix'],
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'version 0 in bech32m'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'version 1 in bech32'],
  ['BTC', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y', 'version 1 of 40 bytes'],
  ['BTC', 'BC1SW50QGDZ25J', 'version 16, which anyone can spend'],
  ['BTC', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'version 2, which anyone can spend'],
  ['BTC', 'bc1gmk9yu', 'no version'],
  ['BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'a test network'],
  ['BTC', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'a test network'],
  ['BTC', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'a test network'],
  ['BTC', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9', 'another coin'],
  ['BTC', '5Kd3NBUAdUnhyzenEwVLy9pBKxSwXvE9FMPyR4UKZvpe6E3AgLr', 'a private key'],
  ['LTC', 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0', 'a test network'],
  ['LTC', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'another coin'],
  ['BCH', 'bchtest:qpm2qsznhks23z7629mms6s4cwef74vcwvqcw003ap', 'a test network'],
  ['BCH', 'bitcoincash:Qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'mixed case'],
  ['BCH', 'bitcoin:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'another prefix'],
  ['XRP', 'T7vT1XfFpMJFqBSYWzdSrvKmZQYjvbDqaHGBBpXBpqfwUQ7', 'a test network'],
  ['XRP', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'another alphabet'],
  ['XLM', 'SBU2RRGLXH3E5CQHTD3ODLDF2BWDCYUSSBLLZ5GNW7JXHDIYKXZWHOKR', 'a secret key'],
  [
    'XMR',
    '9wviCeWe2D8XS82k2ovp5EUYLzBt9pYNW2LXUFsZiv8S3Mt21FZ5qQaAroko1enzw3eGr9qC7X1D7Geoo2RrAotYPwq9Gm8',
    'a test network',
  ],
  ['TON', 'kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKbE', 'a test network'],
  ['ADA', 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz', 'a test network'],
  ['ADA', 'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw', 'a reward address, which accepts no payments'],
  ['ZEC', 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU', 'a test network'],
  ['ZEC', 'ztestsapling1qqqqqqqqqqqqqqqqqqcguyvaw2vjk4sdyeg0lc970u659lvhqq7t0np6hlup5lusxle75ss7jnk', 'a test network'],
  ['DOGE', 'nYgNzr8tLVqYBXsbm9CwVZpGpyMbYkGFTD', 'a test network'],
  ['DOT', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', 'another network'],
  ['ATOM', 'cosmosvaloper1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3h6cprl', 'a validator'],
  ['TRX', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'not in the usual notation'],
  ['ETH', '0X52908400098527886E0F7030069857D2E4169EE7', 'a capital X'],
  ['SOL', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'another coin'],
]

describe('an address of another kind', () => {
  for (const [coin, address, why] of refused)
    it(`is rejected for ${coin}: ${why} (${address.slice(0, 12)})`, () => assert.equal(isAddress(coin, address), false))

  it('is rejected quickly at the maximum field length', () => {
    for (const coin of judgedCoins)
      for (const letter of ['1', 'z', 'q', 'A']) assert.equal(isAddress(coin, letter.repeat(512)), false)
  })
})

const bare = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const wallet = { type: 'crypto', name: 'Savings', provider: 'Ledger', preferred_currency: 'BTC', address_id: bare }
const problemsOf = (input: object) => fundAccountInput.safeParse(input).error?.issues.map(({ path }) => path[0])

describe('invisible characters and spaces', () => {
  const marks = [
    '\u00a0',
    '\u202f',
    '\u200b',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\t',
    ' ',
    '\n',
    '\ufeff',
    '\u2066',
  ]

  it('are removed from a wallet address and its tag at any position', () => {
    for (const mark of marks) {
      const text = `${mark}${bare.slice(0, 9)}${mark}${bare.slice(9)}${mark}`
      assert.equal(normalizeIdentifier(text), bare)
      const input = fundAccountInput.parse({ ...wallet, address_id: text, address_tag: `${mark}104${mark}911` })
      const { address_id, address_tag } = storedFundAccount(input)
      assert.deepEqual([address_id, address_tag], [bare, '104911'])
    }
  })

  it('are preserved for other account types, where a space may belong to the name', () => {
    const other = { ...wallet, type: 'other', preferred_currency: 'EUR', address_id: 'mara\u00a0hart' }
    assert.equal(storedFundAccount(fundAccountInput.parse(other)).address_id, 'mara\u00a0hart')
    assert.deepEqual(problemsOf({ ...other, address_id: 'mara\thart' }), ['address_id'])
  })

  it('are not an address by themselves', () => {
    assert.deepEqual(problemsOf({ ...wallet, address_id: '\u200b\u202e' }), ['address_id'])
    assert.deepEqual(problemsOf({ ...wallet, preferred_currency: 'KAVA', address_id: '\u200b\u202e' }), ['address_id'])
    assert.deepEqual(problemsOf({ ...wallet, preferred_currency: 'KAVA', address_id: 'kava\u0000' }), ['address_id'])
  })
})

describe('a tag inside an address of the XRP Ledger', () => {
  it('accepts only the same tag beside it', () => {
    const address = 'XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5H'
    assert.equal(isAddress('XRP', address), true)
    for (const [tag, fits] of [
      ['', true],
      ['12345', true],
      [' 12\u200b345', true],
      ['1234', false],
    ] as const)
      assert.equal(fitsTag('XRP', { address, tag }), fits, tag)
    const input = { ...wallet, preferred_currency: 'XRP', address_id: address, address_tag: '7' }
    assert.deepEqual(problemsOf(input), ['address_tag'])
    assert.equal(fitsTag('XRP', { address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', tag: '7' }), true)
    assert.equal(fitsTag('XRP', { address: 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', tag: '7' }), true)
  })
})

it('an address of a shared Stellar account accepts only the memo that it contains', () => {
  const shared = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK'
  for (const [tag, fits] of [
    ['', true],
    ['9223372036854775808', true],
    ['9223372036854775807', false],
    ['order 12', false],
  ] as const)
    assert.equal(fitsTag('XLM', { address: shared, tag }), fits, tag)
  const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
  assert.equal(fitsTag('XLM', { address: account, tag: 'order 12' }), true)
  const plain = { ...wallet, preferred_currency: 'XLM', address_id: account, address_tag: 'order 12' }
  assert.deepEqual([problemsOf(plain), problemsOf({ ...plain, address_id: shared })], [undefined, ['address_tag']])
})

it('a wallet matches a coin only with a valid address', () => {
  const wrong = { currency: 'USDT', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u' }
  assert.equal(fitsWallet('USDT.TRC20', wrong), false)
  assert.equal(fitsWallet('USDT.TRC20', { ...wrong, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }), true)
})
