import { ActionIcon, Button } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type Ref, useId, useState } from 'react'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useRowFocus } from '../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './entry-list.module.css'
import { archiveAt, type Entry, moveBy, restored } from './entry-moves.ts'

type EntryListProps = {
  label: string
  entries: Entry[]
  /** False when the name is the id. */
  canRename?: boolean
  charsMax: number
  error: string | undefined
  onChange: (entries: Entry[]) => void
}

/** An ordered list whose entries can be moved, renamed, archived and restored. */
export function EntryList({ label, entries, canRename = false, charsMax, error, onChange }: EntryListProps) {
  const { t } = useTranslation()
  const id = useId()
  const put = (index: number, name: string) =>
    onChange(entries.map((entry, each) => (each === index ? { ...entry, name } : entry)))
  const archived = entries.filter((entry) => entry.archived)
  const focus = useRowFocus<HTMLUListElement, HTMLInputElement>()
  const shownBefore = (index: number) => entries.slice(0, index).filter((entry) => !entry.archived).length
  return (
    <fieldset className={parts.list} aria-describedby={error && `${id}-error`}>
      <legend className={parts.legend}>{label}</legend>
      <ul ref={focus.list} className={parts.rows} aria-label={label}>
        {entries.map(
          (entry, index) =>
            !entry.archived && (
              <li key={entry.key ?? `new ${index}`} className={parts.row}>
                {canRename || entry.key === null ? (
                  <TextInput
                    className={parts.name}
                    aria-label={t('Name of {{name}}', { name: entry.name })}
                    charsMax={charsMax}
                    value={entry.name}
                    onChange={(event) => put(index, event.currentTarget.value)}
                  />
                ) : (
                  <span className={`${parts.name} ${parts.fixed}`}>{entry.name}</span>
                )}
                <RowActions
                  entry={entry}
                  index={index}
                  entries={entries}
                  onChange={onChange}
                  onEnd={() => focus.removed(shownBefore(index), () => onChange(archiveAt(entries, index)))}
                />
              </li>
            ),
        )}
      </ul>
      <NewEntry
        input={focus.adding}
        label={label}
        charsMax={charsMax}
        onAdd={(name) => onChange([...entries, newEntry(name)])}
      />
      {error && (
        <p id={`${id}-error`} className={parts.problem} role="alert">
          {error}
        </p>
      )}
      {archived.length > 0 && (
        <details className={parts.archived}>
          <summary>{t('Archived: {{count}}', { count: archived.length })}</summary>
          <ul className={parts.rows} aria-label={t('{{list}}, archived', { list: label })}>
            {archived.map((entry) => (
              <li key={entry.key} className={parts.row}>
                <span className={`${parts.name} ${parts.fixed}`}>{entry.name}</span>
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconArrowBackUp size={16} stroke={1.5} />}
                  aria-label={t('Restore {{name}}', { name: entry.name })}
                  onClick={() => onChange(restored(entries, entry))}
                >
                  {t('Restore')}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  )
}

const newEntry = (name: string): Entry => ({ key: null, name, archived: false })

type RowProps = {
  entry: Entry
  index: number
  entries: Entry[]
  onChange: (entries: Entry[]) => void
  onEnd: () => void
}

function RowActions({ entry, index, entries, onChange, onEnd }: RowProps) {
  const { t } = useTranslation()
  const { name } = entry
  return (
    <span className={parts.actions}>
      <ActionIcon aria-label={t('Move {{name}} up', { name })} onClick={() => onChange(moveBy(entries, index, -1))}>
        <IconArrowUp size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label={t('Move {{name}} down', { name })} onClick={() => onChange(moveBy(entries, index, 1))}>
        <IconArrowDown size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon
        aria-label={entry.key === null ? t('Remove {{name}}', { name }) : t('Archive {{name}}', { name })}
        onClick={onEnd}
      >
        {entry.key === null ? <IconX size={16} stroke={1.5} /> : <IconArchive size={16} stroke={1.5} />}
      </ActionIcon>
    </span>
  )
}

type NewEntryProps = { input: Ref<HTMLInputElement>; label: string; charsMax: number; onAdd: (name: string) => void }

function NewEntry({ input, label, charsMax, onAdd }: NewEntryProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const add = () => {
    if (name.trim() === '') return
    onAdd(name.trim())
    setName('')
  }
  // Enter adds the entry instead of submitting the form.
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <div className={parts.row}>
      <TextInput
        ref={input}
        className={parts.name}
        aria-label={t('Add to {{list}}', { list: label })}
        placeholder={t('Add another')}
        charsMax={charsMax}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      <Button variant="default" onClick={add} aria-label={t('Add it to {{list}}', { list: label })}>
        {t('Add')}
      </Button>
    </div>
  )
}
