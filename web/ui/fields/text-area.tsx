import { Textarea as MantineTextarea, type TextareaProps as MantineTextareaProps } from '@mantine/core'
import { type Limited, useLimit } from './text-input.tsx'

export type TextareaProps = Omit<MantineTextareaProps, 'maxLength'> & Limited

/** Separate from the single-line field, which the sign-in page loads. */
export function Textarea(props: TextareaProps) {
  return <MantineTextarea {...useLimit<HTMLTextAreaElement, TextareaProps>(props)} />
}
