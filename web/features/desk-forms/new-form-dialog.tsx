import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { readyMadeForms } from '@atrium/contract/forms/ready-made.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Radio } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ImportField } from './builder/import-field.tsx'
import { emptyForm } from './builder/new-field.ts'
import { useAddForm } from './use-forms.ts'

const fromNothing = 'nothing'
const fromFile = 'file'

const labels = { name: 'Name', imported: 'An exported file' }

/** Creates a form: empty, from a template, or from an exported file. */
export function NewFormDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const add = useAddForm()
  const form = useCallForm({
    start: { start: fromNothing, name: '', imported: null as FormDefinition | null },
    labels,
    fieldsOf: { start: ['imported'] },
    check: ({ start, name, imported }) => ({
      ...(name.trim() === '' && { name: [texts.fieldsMissing] }),
      ...(start === fromFile && !imported && { imported: ['Choose the file of a form first.'] }),
    }),
    send: ({ start, name, imported }) => {
      const readyMade = readyMadeForms.find(({ key }) => key === start)
      const definition = readyMade?.definition ?? (start === fromFile ? imported : null) ?? emptyForm(t)
      const category = readyMade?.category ?? null
      return add.mutateAsync({
        show_on: null,
        is_request: true,
        category,
        vendors: [],
        departments: [],
        name,
        definition,
      })
    },
    onDone: ({ form: added }) => {
      toast.done(t('Form created. Members see it once a request type uses it.'))
      onClose()
      navigate({ to: '/forms/$formId/{-$part}', params: { formId: added._id, part: undefined } })
    },
  })
  const { start, name } = form.values
  const choose = (next: string) => {
    const nameOf = (key: string) => readyMadeForms.find((each) => each.key === key)?.name
    // Keeps a name that staff have typed.
    form.change({ start: next, ...((name === '' || name === nameOf(start)) && { name: nameOf(next) ?? '' }) })
  }
  return (
    <CallDialog form={form} title={t('New form')} size={560} submit={t('Create form')} onClose={onClose}>
      <Radio.Group label={t('Start from')} value={start} onChange={choose}>
        <div data-stack="sm">
          <Radio value={fromNothing} label={t('An empty form')} />
          {readyMadeForms.map(({ key, name: label, description }) => (
            <Radio key={key} value={key} label={label} description={description} />
          ))}
          <Radio value={fromFile} label={t('An exported file')} />
        </div>
      </Radio.Group>
      {start === fromFile && (
        <ImportField
          onImported={(imported, named) => form.change({ imported, ...(named && name === '' && { name: named }) })}
        />
      )}
      <TextInput
        label={t('Name')}
        description={t('Shown to staff and members.')}
        charsMax={limits.nameCharsMax}
        value={name}
        error={form.errorOf('name')}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
      />
      {form.errorOf('imported') && <Callout meaning="amber">{form.errorOf('imported')}</Callout>}
    </CallDialog>
  )
}
