import { listForms } from '@atrium/contract/forms/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { type DetailChange, detailChanges } from '@atrium/contract/members/details.ts'
import type { DeskRequestType, RequestTypeValues } from '@atrium/contract/requests/desk-calls.ts'
import { predefinedTypes } from '@atrium/contract/requests/states.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fieldsBy } from '../../api/form-errors.ts'
import { call } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Select } from '../../ui/fields/select.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { changeLabels, shortcutLabels } from './request-labels.ts'
import { useTypeChange } from './use-desk-requests.ts'

type TypeDialogProps = { type: DeskRequestType | null; onClose: () => void }

/** A form, a portal page and neither exclude each other, so one select covers all three. */
const pagePrefix = 'page:'

type Written = {
  name: string
  description: string
  leads: string | null
  changes: DetailChange | null
  show_in_portal: boolean
  is_quick_link: boolean
}

const writtenOf = (type: DeskRequestType | null): Written => ({
  name: type?.name ?? '',
  description: type?.description ?? '',
  leads: type?.predefined_type ? `${pagePrefix}${type.predefined_type}` : (type?.form?._id ?? null),
  changes: type?.changes ?? null,
  show_in_portal: type?.show_in_portal ?? true,
  is_quick_link: type?.is_quick_link ?? false,
})

function valuesOf({ name, description, leads, ...rest }: Written): RequestTypeValues {
  const predefined_type = predefinedTypes.find((each) => leads === `${pagePrefix}${each}`) ?? null
  const form = predefined_type ? null : leads
  return { ...rest, name, description: description.trim() || null, predefined_type, form }
}

const labels = {
  name: 'Name',
  description: 'Description for members',
  leads: 'Form or portal page',
  changes: 'Approving it changes',
}

/** A request type's name, and its form or target page. */
export function TypeDialog({ type, onClose }: TypeDialogProps) {
  const { t } = useTranslation()
  const save = useTypeChange()
  const forms = useQuery({
    queryKey: ['desk-forms', 'no'],
    queryFn: async () => (await call(listForms, { archived: 'no' })).forms,
    staleTime: 5_000,
  })
  const form = useCallForm({
    start: writtenOf(type),
    labels,
    fieldFor: fieldsBy(labels, { form: 'leads', predefined_type: 'leads' }),
    check: ({ name }) => (name.trim() === '' ? { name: [texts.fieldsMissing] } : {}),
    send: (written) =>
      save.mutateAsync(
        type
          ? { do: 'change', id: type._id, seen: type.revision, ...valuesOf(written) }
          : { do: 'add', ...valuesOf(written) },
      ),
    onDone: () => {
      toast.done(t('Saved.'))
      onClose()
    },
  })
  const { values, errorOf, change } = form
  const own = type?.form && !forms.data?.some(({ _id }) => _id === type.form?._id) ? [type.form] : []
  return (
    <CallDialog
      form={form}
      title={type ? t('Edit {{name}}', { name: type.name }) : t('New request type')}
      size={520}
      submit={type ? t('Save changes') : t('Create request type')}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        withAsterisk
        data-autofocus
        charsMax={limits.nameCharsMax}
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('Description for members')}
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.requestTypeDescriptionCharsMax}
        value={values.description}
        error={errorOf('description')}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Select
        label={t('Form or portal page')}
        description={t('One of your forms, or the portal page for the same purpose.')}
        placeholder={t('No form')}
        clearable
        searchable
        data={[
          {
            group: t('Forms'),
            items: [...own, ...(forms.data ?? [])].map(({ _id, name }) => ({ value: _id, label: name })),
          },
          {
            group: t('Pages of the portal'),
            items: predefinedTypes.map((each) => ({ value: `${pagePrefix}${each}`, label: t(shortcutLabels[each]) })),
          },
        ]}
        value={values.leads}
        error={errorOf('leads')}
        onChange={(leads) => change({ leads })}
      />
      <Select
        label={t('Approving it changes')}
        description={t('Its form has to ask for the new value. Start from the ready-made form of this name.')}
        placeholder={t('Nothing automatically')}
        clearable
        data={detailChanges.map((each) => ({ value: each, label: t(changeLabels[each]) }))}
        value={values.changes}
        error={errorOf('changes')}
        onChange={(changes) => change({ changes: detailChanges.find((each) => each === changes) ?? null })}
      />
      <Checkbox
        label={t('Shown in the portal')}
        checked={values.show_in_portal}
        onChange={(event) => change({ show_in_portal: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('A quick link on the profile')}
        checked={values.is_quick_link}
        onChange={(event) => change({ is_quick_link: event.currentTarget.checked })}
      />
    </CallDialog>
  )
}
