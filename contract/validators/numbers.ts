import { limits } from '../limits.ts'
import { type ValidationResult, validatorTexts } from './messages.ts'

const decimalShape = /^-?[0-9]{1,20}(?:\.[0-9]{1,18})?$/

/** Digits with an optional minus and one point: no comma, exponent, plus sign, or digits of other scripts. */
export function validateDecimal(value: string): ValidationResult {
  const text = value.trim()
  return text === '' || decimalShape.test(text) ? null : validatorTexts.decimal
}

/**
 * Arithmetic over numbers and named fields: `({base} + 2.5) * score / -4`. Parsed once from left to right with a
 * limited depth, so that no text takes long.
 */
export function validateFormula(value: string): ValidationResult {
  const text = value.trim()
  if (text === '') return null
  return text.length <= limits.formulaCharsMax && readsAsFormula(text) ? null : validatorTexts.formula
}

type TokenKind = 'value' | 'operator' | 'minus' | 'open' | 'close'

/** A token of a formula; `text` is the number, or the field's name without braces. */
export type FormulaToken = { kind: TokenKind; text: string }

function readsAsFormula(text: string): boolean {
  const tokens = formulaTokens(text)
  if (tokens === null) return false
  let depth = 0
  let expectsValue = true
  for (const { kind: token } of tokens) {
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

const single: Record<string, TokenKind> = {
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

/** The formula's tokens, or null if it has an invalid character. The grammar is checked separately. */
export function formulaTokens(text: string): FormulaToken[] | null {
  const tokens: FormulaToken[] = []
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    const kind = Object.hasOwn(single, char) ? single[char] : undefined
    if (kind) tokens.push({ kind, text: char })
    if (kind || char === ' ') {
      at += 1
      continue
    }
    const end = char === '{' ? text.indexOf('}', at) + 1 : endOfWord(text, at)
    const word = char === '{' ? text.slice(at + 1, end - 1) : text.slice(at, end)
    if (end <= at || !isNameOrNumber(word)) return null
    tokens.push({ kind: 'value', text: word })
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
