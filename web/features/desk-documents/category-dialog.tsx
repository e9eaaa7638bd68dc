import type { DeskCategory } from '@atrium/contract/documents/desk-calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, Button, Checkbox } from '@mantine/core'
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useRowFocus } from '../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { requiredEffects } from './document-labels.ts'
import parts from './documents.module.css'
import { type CategoryFields, useCategoryChange } from './use-categories.ts'

type CategoryDialogProps = { category: DeskCategory | null; set: string | null; onClose: () => void }
/** `key` identifies a line on the screen; it is not sent. */
type Line = { key: string; _id: string | null; name: string; expires: boolean }

let made = 0
const newLine = (): Line => {
  made += 1
  return { key: `new-${made}`, _id: null, name: '', expires: false }
}

function useCategoryForm({ category, set, onClose }: CategoryDialogProps) {
  const { t } = useTranslation()
  const save = useCategoryChange()
  return useCallForm({
    start: {
      name: category?.name ?? '',
      description: category?.description ?? '',
      required: category?.required ?? true,
      byCheck: category?.by_identity_check ?? false,
      lines: (category?.valid_documents ?? [])
        .filter(({ archived }) => !archived)
        .map(({ _id, name, expires }): Line => ({ key: _id, _id, name, expires })),
    },
    labels: { name: 'Name', description: 'Description for members' },
    check: ({ name }) => (name.trim() === '' ? { name: [texts.fieldsMissing] } : {}),
    send: ({ byCheck, lines, ...rest }) => {
      const named = lines.filter((line) => line.name.trim() !== '')
      const valid_documents = named.map(({ _id, name, expires }) => ({ ...(_id && { _id }), name, expires }))
      const fields: CategoryFields = { ...rest, by_identity_check: byCheck, valid_documents }
      const change = category && { do: 'change' as const, id: category._id, seen: category.revision, fields }
      return save.mutateAsync(change ?? { do: 'add', set, fields })
    },
    onDone: () => {
      toast.done(t('Saved. It takes effect for everybody within a minute.'))
      onClose()
    },
  })
}

/** Edits the documents of a category. Existing KYC documents keep the name of a removed one. */
export function CategoryDialog(props: CategoryDialogProps) {
  const { category, onClose } = props
  const { t } = useTranslation()
  const form = useCategoryForm(props)
  const { errorOf, change } = form
  const { name, description, required, byCheck, lines } = form.values
  const isRequired = category?.required ?? false
  return (
    <CallDialog
      form={form}
      title={category ? t('Edit {{name}}', { name: category.name }) : t('Add a category')}
      size={620}
      submit={t('Save category')}
      onClose={onClose}
    >
      <TextInput
        label={t('Name')}
        required
        data-autofocus
        charsMax={limits.listWordCharsMax}
        value={name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('Description for members')}
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Checkbox
        label={t('Required for approval')}
        description={required !== isRequired && t(requiredEffects[required ? 'required' : 'optional'])}
        checked={required}
        onChange={(event) => change({ required: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('An approved identity check counts as a document of this category')}
        checked={byCheck}
        onChange={(event) => change({ byCheck: event.currentTarget.checked })}
      />
      <DocumentLines lines={lines} setLines={(next) => change({ lines: next(lines) })} />
    </CallDialog>
  )
}

type DocumentLinesProps = { lines: Line[]; setLines: (change: (before: Line[]) => Line[]) => void }

/** The documents of a category in order; each has a name and may expire. */
function DocumentLines({ lines, setLines }: DocumentLinesProps) {
  const { t } = useTranslation()
  const focus = useRowFocus<HTMLDivElement>()
  const remove = (at: number) => setLines((before) => before.filter((_, index) => index !== at))
  const edit = (at: number, next: Partial<Line>) =>
    setLines((before) => before.map((line, index) => (index === at ? { ...line, ...next } : line)))
  const lift = (at: number) =>
    setLines((before) => {
      const line = before[at]
      const rest = before.filter((_, index) => index !== at)
      return line ? [...rest.slice(0, at - 1), line, ...rest.slice(at - 1)] : before
    })
  return (
    <fieldset className={parts.lines}>
      <legend>{t('Valid documents')}</legend>
      <div ref={focus.list} data-stack="md">
        {lines.map((line, at) => (
          <div key={line.key} className={parts.validDocument}>
            <TextInput
              className={parts.grow ?? ''}
              size="xs"
              aria-label={t('Name of document {{number}}', { number: at + 1 })}
              charsMax={limits.listWordCharsMax}
              value={line.name}
              onChange={(event) => edit(at, { name: event.currentTarget.value })}
            />
            <Checkbox
              size="xs"
              label={t('Expires')}
              checked={line.expires}
              onChange={(event) => edit(at, { expires: event.currentTarget.checked })}
            />
            <ActionIcon
              aria-label={t('Move {{name}} up', { name: line.name })}
              disabled={at === 0}
              onClick={() => lift(at)}
            >
              <IconArrowUp size={18} stroke={1.5} />
            </ActionIcon>
            <ActionIcon
              aria-label={t('Remove {{name}} from the list', { name: line.name })}
              onClick={() => focus.removed(at, () => remove(at))}
            >
              <IconTrash size={18} stroke={1.5} />
            </ActionIcon>
          </div>
        ))}
      </div>
      {lines.length < limits.validDocumentsMax && (
        <Button
          ref={focus.adding}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => focus.added(() => setLines((before) => [...before, newLine()]))}
        >
          {t('Add a document')}
        </Button>
      )}
    </fieldset>
  )
}
