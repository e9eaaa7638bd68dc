import { PasswordInput as MantinePasswordInput, type PasswordInputProps as MantineProps } from '@mantine/core'
import { type Limited, useLimit } from './text-input.tsx'

type PasswordInputProps = Omit<MantineProps, 'maxLength'> & Limited

export function PasswordInput(props: PasswordInputProps) {
  return <MantinePasswordInput {...useLimit<HTMLInputElement, PasswordInputProps>(props)} />
}
