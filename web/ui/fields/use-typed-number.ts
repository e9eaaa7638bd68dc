import { type NumberSentence, numberSentence } from '@atrium/contract/money/number-texts.ts'
import { type NumberShape, readTypedNumber } from '@atrium/contract/money/typed-number.ts'
import { useEffect, useState } from 'react'
import { fieldText, keptValue } from '../money/amount-text.ts'
import { readerLanguage } from '../text/format.ts'

type Settings = Omit<NumberShape, 'language'> & {
  /** A canonical decimal, nothing, or what was not understood. */
  value: string
  onChange: (value: string) => void
}

/**
 * Text as it was typed, and the number that is meant by it. The text is only ever changed by whoever types, or by a value
 * that comes from elsewhere: a preset, an undo, an answer of the server.
 */
export function useTypedNumber({ value, onChange, ...asked }: Settings) {
  const shape: NumberShape = { ...asked, language: readerLanguage() }
  const [typed, setTyped] = useState<{ text: string; value: string } | null>(null)
  const isTyped = typed?.value === value
  const text = isTyped ? typed.text : fieldText(value, shape.language)
  const read = readTypedNumber(text, shape)
  const kept = keptValue(read, text)
  const type = (next: string) => {
    const meant = keptValue(readTypedNumber(next, shape), next)
    setTyped({ text: next, value: meant })
    onChange(meant)
  }
  // Another account has another currency, with other decimals: the same text may mean something else, or nothing.
  const isMeantOtherwise = isTyped && kept !== value
  useEffect(() => {
    if (isMeantOtherwise) type(text)
  })
  const refusal: NumberSentence | null = 'problem' in read ? numberSentence(read.problem, text, shape) : null
  return { text, type, understood: 'value' in read ? read.value : null, refusal, language: shape.language }
}
