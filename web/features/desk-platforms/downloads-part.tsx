import { downloadSystems } from '@atrium/contract/downloads/downloads.ts'
import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconUpload, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { Picked } from '../../ui/files/picked-file.tsx'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import { useKeptFocus, useRowFocus } from '../../ui/forms/use-row-focus.ts'
import rows from '../../ui/lists/desk-rows.module.css'
import { fileSize } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { moved } from './moves.ts'
import parts from './platforms.module.css'
import { RowActions } from './row-actions.tsx'
import { useDownloadUpload } from './use-download-upload.ts'
import { type DownloadFile, type Entry, useDownloadsForm } from './use-downloads-form.ts'
import type { Platform } from './use-platforms.ts'

const labels: Record<Entry['system'], string> = knownOr(otherLabel, {
  windows: 'Windows',
  'mac-os': 'macOS',
  android: 'Android',
  ios: 'iOS',
  web: 'Web',
})

/** The entries of the members' Downloads page for this platform, in order. */
export function DownloadsPart({ platform }: { platform: Platform }) {
  const { t } = useTranslation()
  const form = useDownloadsForm(platform)
  const { entries, set, put, add, hold } = form
  const focus = useRowFocus<HTMLUListElement>()
  const error = form.errorOf('downloads')
  return (
    <SavedForm
      title={t('Downloads')}
      help={t('A link to a page or a program, or a file that you upload. Saved entries are archived, not deleted.')}
      form={form}
    >
      <ul key={form.round} ref={focus.list} data-stack="sm" aria-label={t('Downloads')}>
        {entries.map((entry, index) => (
          <li key={entry.key} className={`${parts.entry} ${entry.archived ? parts.archived : ''}`}>
            <EntryFields
              entry={entry}
              onChange={(part) => put(entry.key, part)}
              onSending={(isSending) => hold(entry.key, isSending)}
            />
            <RowActions
              name={entry.name || t('New download')}
              ending={entry._id === null ? 'take' : entry.archived ? 'restore' : 'archive'}
              onMove={(step) => set(moved(entries, index, step))}
              onEnd={() =>
                entry._id === null
                  ? focus.removed(index, () => set(entries.filter(({ key }) => key !== entry.key)))
                  : put(entry.key, { archived: !entry.archived })
              }
            />
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className={rows.quiet}>{t('Nothing yet: members are asked to contact you.')}</p>}
      {error && (
        <p className={parts.problem} role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          ref={focus.adding}
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => focus.added(add)}
        >
          {t('Add a download')}
        </Button>
      </div>
    </SavedForm>
  )
}

type EntryFieldsProps = {
  entry: Entry
  onChange: (part: Partial<Entry>) => void
  onSending: (isSending: boolean) => void
}

function EntryFields({ entry, onChange, onSending }: EntryFieldsProps) {
  const { t } = useTranslation()
  const { archived } = entry
  const place = useKeptFocus<HTMLDivElement>(entry.file?._id)
  return (
    <div ref={place} className={parts.fields} tabIndex={-1}>
      <Select
        label={archived ? t('For (archived)') : t('For')}
        allowDeselect={false}
        disabled={archived}
        data={downloadSystems.map((value) => ({ value, label: t(labels[value]) }))}
        value={entry.system}
        onChange={(system) => onChange({ system: downloadSystems.find((one) => one === system) ?? 'windows' })}
      />
      <TextInput
        label={t('Name')}
        charsMax={limits.nameCharsMax}
        disabled={archived}
        value={entry.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {entry.file ? (
        <div className={parts.wide} data-group="md" data-lines="sm" data-align="center">
          <span>{entry.file.name}</span>
          <span className={rows.quiet}>{fileSize(entry.file.size_bytes)}</span>
          {!archived && (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconX size={16} stroke={1.5} aria-hidden />}
              onClick={() => onChange({ file: null })}
            >
              {t('Use a link')}
            </Button>
          )}
        </div>
      ) : (
        <>
          <TextInput
            className={parts.wide ?? ''}
            label={t('Link')}
            type="url"
            placeholder={t('https://')}
            charsMax={limits.linkCharsMax}
            disabled={archived}
            value={entry.link}
            onChange={(event) => onChange({ link: event.currentTarget.value })}
          />
          {!archived && (
            <UploadButton onFile={(file) => onChange({ file, name: entry.name || file.name })} onSending={onSending} />
          )}
        </>
      )}
    </div>
  )
}

type UploadButtonProps = { onFile: (file: DownloadFile) => void; onSending: (isSending: boolean) => void }

function UploadButton(props: UploadButtonProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const sending = useDownloadUpload(props)
  const place = useKeptFocus<HTMLDivElement>(sending.picked === null)
  const { extensions } = uploadPurposes.download
  return (
    <div ref={place} className={parts.wide} tabIndex={-1}>
      <input
        ref={input}
        type="file"
        className={parts.hidden}
        tabIndex={-1}
        aria-label={t('File')}
        accept={extensions.map((extension) => `.${extension}`).join(',')}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) sending.pick(file)
          event.currentTarget.value = ''
        }}
      />
      {sending.picked ? (
        <Picked picked={sending.picked} isWaiting={false} onRemove={sending.stop} />
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {t('Upload a file instead')}
        </Button>
      )}
      {sending.error && (
        <p className={parts.problem} role="alert">
          {t(sending.error)}
        </p>
      )}
    </div>
  )
}
