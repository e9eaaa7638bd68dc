import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { listInWords } from '../../../ui/text/format.ts'
import type { TFunction } from '../../../ui/text/i18n.ts'
import type { Dependent } from '../form-names.ts'
import { findField } from '../form-places.ts'

/** "Age and Total": the labels of the fields that depend on a field, without duplicates. */
export function dependentLabels(definition: FormDefinition, dependents: Dependent[], t: TFunction): string {
  const names = [...new Set(dependents.map(({ name }) => name))]
  return listInWords(names.map((name) => findField(definition, name)?.field.name || t('an untitled field')))
}
