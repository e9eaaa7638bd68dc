import { limits } from '@atrium/contract/limits.ts'
import { CloseButton, Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { queueSearchCharsMax } from './deposit-queue.ts'
import parts from './queue-bar.module.css'

type QueueSearchProps = {
  q: string
  onSearch: (q: string) => void
  field: RefObject<HTMLInputElement | null>
  isKeyShown: boolean
}

/** Searches while somebody types, a moment after the last letter. */
export function QueueSearch({ q, onSearch, field, isKeyShown }: QueueSearchProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(q)
  const asked = useRef(q)

  // The address can change by itself: by the browser's back, or a link.
  useEffect(() => {
    if (q === asked.current) return
    asked.current = q
    setText(q)
  }, [q])

  useEffect(() => {
    if (text === asked.current || text.length > queueSearchCharsMax) return
    const timer = setTimeout(() => {
      asked.current = text
      onSearch(text)
    }, limits.filterDebounceMs)
    return () => clearTimeout(timer)
  }, [text, onSearch])

  return (
    <TextInput
      ref={field}
      className={parts.search ?? ''}
      size="xs"
      type="search"
      aria-label={t('Search deposits')}
      placeholder={t('Name, number, amount or reference')}
      charsMax={queueSearchCharsMax}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      rightSection={
        text === '' ? (
          isKeyShown && (
            <Kbd size="xs" aria-hidden>
              {'/'}
            </Kbd>
          )
        ) : (
          <CloseButton size="sm" aria-label={t('Clear the search')} onClick={() => setText('')} />
        )
      }
    />
  )
}
