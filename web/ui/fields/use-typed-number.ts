import { type NumberSentence, numberSentence } from '@atrium/contract/money/number-texts.ts'
import { type NumberShape, readTypedNumber } from '@atrium/contract/money/typed-number.ts'
import { useEffect, useState } from 'react'
import { fieldText, formValue } from '../money/amount-text.ts'
import { readerLanguage } from '../text/format.ts'

type Settings = Omit<NumberShape, 'language'> & {
  /** A canonical decimal, empty, or the invalid text. */
  value: string
  onChange: (value: string) => void
}

/**
 * The typed text and the number that it means. The text changes only by typing, or by a value from elsewhere:
 * a preset, an undo, an answer of the server.
 */
export function useTypedNumber({ value, onChange, ...asked }: Settings) {
  const shape: NumberShape = { ...asked, language: readerLanguage() }
  const [typed, setTyped] = useState<{ text: string; value: string } | null>(null)
  const isTyped = typed?.value === value
  const text = isTyped ? typed.text : fieldText(value, shape.language)
  const read = readTypedNumber(text, shape)
  const meaning = formValue(read, text)
  const type = (next: string) => {
    const meant = formValue(readTypedNumber(next, shape), next)
    setTyped({ text: next, value: meant })
    onChange(meant)
  }
  // Another account has another currency with other decimals: the same text may mean another number, or none.
  const isMeantOtherwise = isTyped && meaning !== value
  useEffect(() => {
    if (isMeantOtherwise) type(text)
  })
  const refusal: NumberSentence | null = 'problem' in read ? numberSentence(read.problem, text, shape) : null
  return { text, type, understood: 'value' in read ? read.value : null, refusal, language: shape.language }
}
