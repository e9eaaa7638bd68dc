import type { DeskCategory } from '@atrium/contract/desk-documents.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, Button, Checkbox, Group, Modal } from '@mantine/core'
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import parts from './documents.module.css'
import { type CategoryFields, useCategoryChange } from './use-categories.ts'

type CategoryDialogProps = { category: DeskCategory | null; set: string | null; onClose: () => void }
/** `key` tells lines apart on the screen; it is not sent. */
type Line = { key: string; _id: string | null; name: string; expires: boolean }

const linesOf = (category: DeskCategory | null): Line[] =>
  (category?.valid_documents ?? [])
    .filter(({ archived }) => !archived)
    .map(({ _id, name: of, expires }) => ({ key: _id, _id, name: of, expires }))

let made = 0
const newLine = (): Line => {
  made += 1
  return { key: `new-${made}`, _id: null, name: '', expires: false }
}

/** What a category asks for. A document that is taken off the list stays with the papers that name it. */
export function CategoryDialog({ category, set, onClose }: CategoryDialogProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(category?.name ?? '')
  const [description, setDescription] = useState(category?.description ?? '')
  const [required, setRequired] = useState(category?.required ?? true)
  const [byCheck, setByCheck] = useState(category?.by_identity_check ?? false)
  const [lines, setLines] = useState(() => linesOf(category))
  const [isTried, setTried] = useState(false)
  const change = useCategoryChange()
  const named = lines.filter((line) => line.name.trim() !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || change.isPending) return
    const valid_documents = named.map(({ _id, name: of, expires }) => ({ ...(_id && { _id }), name: of, expires }))
    const fields: CategoryFields = { name, description, required, by_identity_check: byCheck, valid_documents }
    const wanted = category
      ? ({ do: 'change', id: category._id, fields } as const)
      : ({ do: 'add', set, fields } as const)
    change.mutate(wanted, {
      onSuccess: () => {
        notice.done(t('Saved. It takes effect for everybody within a minute.'))
        onClose()
      },
    })
  }
  const wrong = change.error instanceof ApiError ? change.error.fieldErrors : {}
  return (
    <Modal
      opened
      onClose={onClose}
      title={category ? t('Edit {{name}}', { name: category.name }) : t('Add a category')}
      size={620}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form className={parts.form} onSubmit={submit} noValidate>
        <TextInput
          label={t('Name')}
          required
          data-autofocus
          charsMax={limits.listWordCharsMax}
          value={name}
          error={isTried && name.trim() === '' ? t(texts.fieldsMissing) : wrong.name?.map((line) => t(line)).join(' ')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('What members read about it')}
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Checkbox
          label={t('Required for approval')}
          checked={required}
          onChange={(event) => setRequired(event.currentTarget.checked)}
        />
        <Checkbox
          label={t('An approved identity check counts as a document of it')}
          checked={byCheck}
          onChange={(event) => setByCheck(event.currentTarget.checked)}
        />
        <DocumentLines lines={lines} setLines={setLines} />
        {change.error && !wrong.name && <Callout meaning="red">{t(change.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('Save category')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

type DocumentLinesProps = { lines: Line[]; setLines: (change: (before: Line[]) => Line[]) => void }

/** The documents of a category in their order; each is named, and says whether it expires. */
function DocumentLines({ lines, setLines }: DocumentLinesProps) {
  const { t } = useTranslation()
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
      {lines.map((line, at) => (
        <div key={line.key} className={parts.paper}>
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
            onClick={() => setLines((before) => before.filter((_, index) => index !== at))}
          >
            <IconTrash size={18} stroke={1.5} />
          </ActionIcon>
        </div>
      ))}
      {lines.length < limits.validDocumentsMax && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => setLines((before) => [...before, newLine()])}
        >
          {t('Add a document')}
        </Button>
      )}
    </fieldset>
  )
}
