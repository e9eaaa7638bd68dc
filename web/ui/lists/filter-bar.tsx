import { ActionIcon, type SelectProps } from '@mantine/core'
import { IconDownload, IconSearch } from '@tabler/icons-react'
import { type ReactNode, type Ref, useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { Select } from '../fields/select.tsx'
import { TextInput } from '../fields/text-input.tsx'
import { useDebouncedText } from '../fields/use-debounced-text.ts'
import { fileSize } from '../text/format.ts'
import { useTranslation } from '../text/use-translation.ts'
import { Tooltip } from '../tooltip/tooltip.tsx'
import parts from './filter-bar.module.css'
import { wordsCharsMax } from './search-shapes.ts'

/** The filters of a staff list, in one line on wide screens. */
export function FilterBar({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <search className={parts.bar} data-group="sm" data-align="center" aria-label={t('Filters')}>
      {children}
    </search>
  )
}

type SearchFieldProps = {
  label: string
  placeholder: string
  value: string
  onSearch: (words: string) => void
  field?: Ref<HTMLInputElement>
  /** For a bar with its own columns. */
  className?: string | undefined
  size?: 'xs' | 'md'
}

/** A debounced search field. */
export function SearchField({ label, placeholder, value, onSearch, field, className, size = 'xs' }: SearchFieldProps) {
  return (
    <TextInput
      ref={field}
      className={className ?? parts.search ?? ''}
      size={size}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      charsMax={wordsCharsMax}
      autoComplete="off"
      spellCheck={false}
      {...useDebouncedText(value, onSearch, wordsCharsMax)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  )
}

type FilterChoiceProps = {
  label: string
  /** The label of the option for no filter. */
  all: string
  data: NonNullable<SelectProps['data']>
  value: string | undefined
  onChoose: (value: string | null) => void
}

/** A filter by one of several values, or none. */
export function FilterChoice({ label, all, value, onChoose, data }: FilterChoiceProps) {
  return (
    <Select
      size="xs"
      aria-label={label}
      placeholder={all}
      clearable
      data={data}
      value={value ?? null}
      onChange={onChoose}
    />
  )
}

/** Exports the list as CSV and shows the progress of a long one. */
export function TableButton({ save }: { save: (onBytes: (bytes: number) => void) => Promise<void> }) {
  const { t } = useTranslation()
  const [bytes, setBytes] = useState<number | null>(null)
  const start = () => {
    setBytes(0)
    save(setBytes)
      .catch((error: Error) => toast.refused(t(error.message)))
      .finally(() => setBytes(null))
  }
  return (
    <>
      <Tooltip label={t('Export CSV')}>
        <ActionIcon size={30} aria-label={t('Export CSV')} loading={bytes !== null} onClick={start}>
          <IconDownload size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
      {bytes !== null && bytes > 0 && (
        <span role="status" className={parts.progress}>
          {t('{{size}} so far', { size: fileSize(bytes) })}
        </span>
      )}
    </>
  )
}
