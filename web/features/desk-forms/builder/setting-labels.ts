import type { FieldConfig } from '@atrium/contract/forms/definition.ts'

export type Setting = keyof FieldConfig

/** The input type of each setting; settings not listed here have their own editor. */
export const settingLabels: Record<
  Setting,
  { label: string; kind: 'text' | 'lines' | 'whole' | 'decimal' | 'flag' | 'own'; hint?: string }
> = {
  required: { label: 'Required', kind: 'flag' },
  placeholder: { label: 'Placeholder', kind: 'text' },
  help: { label: 'Help text', kind: 'text' },
  default: { label: 'Default value', kind: 'own' },
  width: { label: 'Width (12 columns)', kind: 'whole' },
  min: { label: 'At least', kind: 'decimal' },
  max: { label: 'At most', kind: 'decimal' },
  min_date: { label: 'Not before', kind: 'text', hint: '2026-01-31, today, today-18y' },
  max_date: { label: 'Not after', kind: 'text', hint: '2026-12-31, today, today+30d' },
  chars_max: { label: 'Maximum characters', kind: 'whole' },
  decimals: { label: 'Decimals', kind: 'whole' },
  format: { label: 'Hours', kind: 'own' },
  count_min: { label: 'Choose at least', kind: 'whole' },
  count_max: { label: 'Choose at most', kind: 'whole' },
  file_types: { label: 'File types', kind: 'own' },
  size_kb_max: { label: 'Maximum size (KB)', kind: 'whole' },
  formula: { label: 'Formula', kind: 'own' },
  button: { label: 'Action', kind: 'own' },
  href: { label: 'Address', kind: 'text', hint: 'https://, mailto:, tel:, or a page such as /funds' },
  html: { label: 'Text as HTML', kind: 'own' },
  label_low: { label: 'At the low end', kind: 'text' },
  label_high: { label: 'At the high end', kind: 'text' },
}

/** Pairs are displayed side by side. */
export const settingOrder: Setting[][] = [
  ['html'],
  ['href'],
  ['button'],
  ['formula'],
  ['placeholder'],
  ['default'],
  ['help'],
  ['min', 'max'],
  ['min_date', 'max_date'],
  ['decimals', 'chars_max'],
  ['format'],
  ['count_min', 'count_max'],
  ['file_types'],
  ['size_kb_max'],
  ['label_low', 'label_high'],
  ['width'],
]
