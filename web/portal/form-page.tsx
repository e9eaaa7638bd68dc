import { formFramePath, readFormFrameWord } from '@atrium/contract/form-frame.ts'
import { useComputedColorScheme } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefreshRequests } from '../features/requests/use-requests.ts'
import { useSession } from '../features/session/session.ts'
import { Card, Page } from '../ui/page.tsx'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import parts from './form-page.module.css'

const heightAtFirst = 480
/** Anybody can write an address: a title is no place for a letter. */
const nameCharsMax = 80

/** A form by itself, in a frame as other pages of the brokerage may show it too. */
export function FormPage() {
  const { t } = useTranslation()
  const { id = '', name: written = '' } = useParams({ strict: false }) as { id?: string; name?: string }
  const name = written.slice(0, nameCharsMax)
  const { member } = useSession()
  const isDark = useComputedColorScheme('light') === 'dark'
  const refresh = useRefreshRequests()
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(heightAtFirst)
  const [isDirty, setDirty] = useState(false)
  useUnsavedGuard({ isDirty })
  const onSent = useRef(refresh)
  onSent.current = refresh
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      // Any window may post to this one: only the frame's own words count, and only while it is one of our pages.
      if (source !== frame.current?.contentWindow || origin !== location.origin) return
      const word = readFormFrameWord(data)
      if (word?.kind === 'form-height') setHeight(word.height)
      if (word?.kind === 'form-dirty') setDirty(word.isDirty)
      if (word?.kind === 'form-sent') void onSent.current()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  const search = new URLSearchParams({ form: id, dark: isDark ? '1' : '0', 'members-portal': '1', id: member._id })
  return (
    <Page title={name || t('Form')}>
      <Card className={parts.card}>
        <iframe
          key={id}
          ref={frame}
          className={parts.frame}
          title={name || t('Form')}
          src={`${formFramePath}?${search}`}
          style={{ height }}
        />
      </Card>
    </Page>
  )
}
