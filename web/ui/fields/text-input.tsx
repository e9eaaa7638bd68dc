import { texts } from '@atrium/contract/texts.ts'
import { TextInput as MantineTextInput, type TextInputProps as MantineTextInputProps } from '@mantine/core'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import parts from './text-input.module.css'

/** The server's limit. The text is not cut silently, as `maxLength` would: a longer one shows an error and can be corrected. */
export type Limited = { charsMax?: number | undefined }

export type TextInputProps = Omit<MantineTextInputProps, 'maxLength'> & Limited

export function TextInput(props: TextInputProps) {
  return <MantineTextInput {...useLimit<HTMLInputElement, TextInputProps>(props)} />
}

/** The counter appears near the limit; short limits need none. */
const isNear = (length: number, charsMax: number): boolean => charsMax >= 20 && length >= charsMax * 0.9

type Field<Element> = Limited & {
  value?: unknown
  defaultValue?: unknown
  error?: ReactNode
  inputContainer?: ((input: ReactNode) => ReactNode) | undefined
  onChange?: ((event: ChangeEvent<Element>) => void) | undefined
}

export function useLimit<Element extends HTMLInputElement | HTMLTextAreaElement, Props extends Field<Element>>({
  charsMax,
  ...props
}: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(props.defaultValue ?? '')
  const length = String(props.value ?? typed).length
  if (charsMax === undefined) return props
  const isOver = length > charsMax
  const counts = { length, count: charsMax }
  const { inputContainer = (input: ReactNode) => input } = props
  return {
    ...props,
    error: isOver ? `${t(texts.textTooLong, counts)} ${t('You have entered {{length}}.', counts)}` : props.error,
    inputContainer: (input: ReactNode) => (
      <>
        {inputContainer(input)}
        {!isOver && isNear(length, charsMax) && (
          <span className={parts.count} aria-live="polite">
            {t('{{length}} of {{count}} characters', counts)}
          </span>
        )}
      </>
    ),
    onChange: (event: ChangeEvent<Element>) => {
      setTyped(event.currentTarget.value)
      props.onChange?.(event)
    },
  }
}
