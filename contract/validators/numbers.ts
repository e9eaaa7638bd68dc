import { limits } from '../limits.ts'
import { type Complaint, validatorTexts } from './messages.ts'

const decimalShape = /^-?[0-9]{1,20}(?:\.[0-9]{1,18})?$/

/** Digits with one point and a minus in front: no comma, exponent, sign of plus, or digits of other scripts. */
export function complainOfDecimal(value: string): Complaint {
  const text = value.trim()
  return text === '' || decimalShape.test(text) ? null : validatorTexts.decimal
}

/**
 * Arithmetic over numbers and named fields: `({base} + 2.5) * score / -4`. Read once from left to right with a depth that
 * ends, so that no text makes the reading long.
 */
export function complainOfFormula(value: string): Complaint {
  const text = value.trim()
  if (text === '') return null
  return text.length <= limits.formulaCharsMax && readsAsFormula(text) ? null : validatorTexts.formula
}

type Token = 'value' | 'operator' | 'minus' | 'open' | 'close'

function readsAsFormula(text: string): boolean {
  const tokens = tokensOf(text)
  if (tokens === null) return false
  let depth = 0
  let expectsValue = true
  for (const token of tokens) {
    if (expectsValue) {
      if (token === 'value') expectsValue = false
      else if (token === 'open') depth += 1
      else if (token !== 'minus') return false
    } else if (token === 'close') depth -= 1
    else if (token === 'operator' || token === 'minus') expectsValue = true
    else return false
    if (depth < 0 || depth > limits.formulaDepthMax) return false
  }
  return depth === 0 && !expectsValue
}

const single: Record<string, Token> = {
  '+': 'operator',
  '*': 'operator',
  '/': 'operator',
  '%': 'operator',
  '^': 'operator',
  '-': 'minus',
  '(': 'open',
  ')': 'close',
}
const isWordChar = (char: string) => /^[A-Za-z0-9_.]$/.test(char)

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    const token = Object.hasOwn(single, char) ? single[char] : undefined
    if (token) tokens.push(token)
    if (token || char === ' ') {
      at += 1
      continue
    }
    const end = char === '{' ? text.indexOf('}', at) + 1 : endOfWord(text, at)
    const word = char === '{' ? text.slice(at + 1, end - 1) : text.slice(at, end)
    if (end <= at || !isNameOrNumber(word)) return null
    tokens.push('value')
    at = end
  }
  return tokens
}

function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && isWordChar(text.charAt(end))) end += 1
  return end
}

function isNameOrNumber(word: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,119}$/.test(word) || /^[0-9]{1,20}(?:\.[0-9]{1,18})?$/.test(word)
}
