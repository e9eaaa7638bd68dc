import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SectionForm } from './section-form.tsx'
import { useSection } from './use-workspace.ts'

export function ListsSection() {
  const { t } = useTranslation()
  const form = useSection('lists')
  const { values, change, errorOf } = form
  const wordsOf = (field: 'vendors' | 'departments') => {
    const words = errorOf(field)
    return words && t(words)
  }
  return (
    <SectionForm
      title={t('Vendors and departments')}
      help={t('Who members are led by, and whom they can write to. One in a line.')}
      form={form}
    >
      <LinesField
        label={t('Vendors')}
        lines={values.vendors}
        error={wordsOf('vendors')}
        onChange={(vendors) => change({ vendors })}
      />
      <LinesField
        label={t('Departments')}
        lines={values.departments}
        error={wordsOf('departments')}
        onChange={(departments) => change({ departments })}
      />
    </SectionForm>
  )
}

type LinesFieldProps = {
  label: string
  lines: string[]
  error: string | undefined
  onChange: (lines: string[]) => void
}

const readLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function LinesField({ lines, onChange, ...field }: LinesFieldProps) {
  const [text, setText] = useState(lines.join('\n'))
  const isOurs = JSON.stringify(readLines(text)) === JSON.stringify(lines)
  return (
    <Textarea
      {...field}
      rows={5}
      value={isOurs ? text : lines.join('\n')}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(readLines(event.currentTarget.value))
      }}
    />
  )
}
