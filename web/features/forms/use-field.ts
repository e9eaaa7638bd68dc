import type { FormField } from '@atrium/contract/forms/definition.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { FieldState, FormPlace, FormStore } from './form-store.ts'

/** Subscribes to one field, so that others do not re-render. */
export function useField(store: FormStore, name: string): FieldState {
  const subscribe = useMemo(() => store.subscribe(name), [store, name])
  return useSyncExternalStore(subscribe, () => store.field(name))
}

export function usePlace(store: FormStore): FormPlace {
  return useSyncExternalStore(store.subscribeToPlace, store.place)
}

export type FieldProps = { store: FormStore; field: FormField }

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []

/** The help text, shown while the field has no error. */
export const helpOf = ({ description, config }: FormField): string | undefined =>
  [description, config.help].filter(Boolean).join(' ') || undefined

/** Label, help, error and required mark, common to all typed and select fields. */
export function useFieldParts({ store, field }: FieldProps) {
  const { t } = useTranslation()
  const { value, errors } = useField(store, field.input_name)
  const { required = false, placeholder } = field.config
  const error = errors[0]
  return {
    value,
    set: (next: unknown) => store.set(field.input_name, next),
    parts: {
      name: field.input_name,
      label: field.name,
      description: helpOf(field),
      error: error ? t(error) : undefined,
      required,
      withAsterisk: false,
      ...(required && { labelProps: requiredLabel }),
      ...(placeholder !== undefined && { placeholder }),
    },
  }
}
