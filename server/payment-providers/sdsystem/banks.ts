import { z } from 'zod'
import type { SettingField } from '../contract.ts'

/** Their bank codes are known from other clients, but no document says which bank each code means: hence a setting. */
const usual = `ICBC = Industrial and Commercial Bank of China, 中国工商银行, 工商银行
CMB = China Merchants Bank, 招商银行
CCB = China Construction Bank, 中国建设银行, 建设银行
ABC = Agricultural Bank of China, 中国农业银行, 农业银行
COMM = Bank of Communications, 交通银行
BOC = Bank of China, 中国银行
SDB = Shenzhen Development Bank, 深圳发展银行
GDB = China Guangfa Bank, Guangdong Development Bank, 广发银行, 广东发展银行
CITIC = China CITIC Bank, 中信银行
CMBC = China Minsheng Bank, 中国民生银行, 民生银行
PSBC = Postal Savings Bank of China, 中国邮政储蓄银行, 邮政储蓄银行
CIB = Industrial Bank, 兴业银行
HXB = Hua Xia Bank, 华夏银行
PAB = Ping An Bank, 平安银行
GZB = Bank of Guangzhou, 广州银行
CEB = China Everbright Bank, 中国光大银行, 光大银行
SPDB = Shanghai Pudong Development Bank, 上海浦东发展银行, 浦发银行
BOB = Bank of Beijing, 北京银行
BOS = Bank of Shanghai, 上海银行
NBCB = Bank of Ningbo, 宁波银行`

const lineShape = /^\s*([A-Z0-9]{2,12})\s*=\s*(\S.*)$/

/** Members write bank names with differing blanks, capitals and punctuation. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Maps each name of a bank, and its code, to the code. A name used for two banks is invalid. */
export type Banks = ReadonlyMap<string, string>

function readBanks(text: string): Banks | null {
  const banks = new Map<string, string>()
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, code = '', names = ''] = lineShape.exec(line) ?? []
    if (code === '') return null
    for (const name of new Set([code, ...names.split(',')].map(normalizeName).filter((each) => each !== ''))) {
      if (banks.has(name)) return null
      banks.set(name, code)
    }
  }
  return banks
}

export const codeOfBank = (banks: Banks, name: string | null): string | null =>
  banks.get(normalizeName(name ?? '')) ?? null

export const banksSetting = {
  label: 'Banks and their codes',
  help: 'For payouts: one bank per line, as code = names, with the names that members use separated by commas. Each name may occur once.',
  isLong: true,
  usual,
  schema: z
    .string()
    .max(8_000)
    .transform((text, context): Banks => {
      const banks = readBanks(text)
      if (banks) return banks
      context.addIssue({ code: 'custom', message: 'Enter lines such as BOC = Bank of China, and each name once.' })
      return z.NEVER
    }),
} as const satisfies SettingField
