import { type FormPageMessage, formFramePath, readFormFrameMessage } from '@atrium/contract/forms/frame.ts'
import { useComputedColorScheme } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useRefreshRequests } from '../../features/requests/use-request-changes.ts'
import { useSession } from '../../features/session/session.ts'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './form-page.module.css'

const heightAtFirst = 480
/** Anyone can forge an address, so the title is limited in length. */
const nameCharsMax = 80

/** A form alone in a frame, which other pages of the brokerage may embed too. */
export function FormPage() {
  const { id = '', name = '' } = useParams({ strict: false }) as { id?: string; name?: string }
  return <FramedForm key={id} id={id} name={name.slice(0, nameCharsMax)} />
}

function FramedForm({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation()
  const { member } = useSession()
  const refresh = useRefreshRequests()
  const frame = useRef<HTMLIFrameElement>(null)
  const { wasDark, send: sendScheme } = useFrameScheme(frame)
  const [height, setHeight] = useState(heightAtFirst)
  const [isDirty, setDirty] = useState(false)
  useUnsavedGuard({ isDirty })
  const onSent = useRef(refresh)
  onSent.current = refresh
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      // Any window may post here: only messages from our own frame and origin count.
      if (source !== frame.current?.contentWindow || origin !== location.origin) return
      const message = readFormFrameMessage(data)
      if (message?.kind === 'form-height') {
        setHeight(message.height)
        // Changes during its loading were not sent, so the scheme is sent now.
        sendScheme()
      }
      if (message?.kind === 'form-dirty') setDirty(message.isDirty)
      if (message?.kind === 'form-sent') void onSent.current()
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [sendScheme])
  const search = new URLSearchParams({ form: id, dark: wasDark ? '1' : '0', 'members-portal': '1', id: member._id })
  return (
    <Page title={name || t('Form')}>
      <Card data-pad="xl">
        <iframe
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

/** The address keeps the initial scheme: changing it would reload the frame and lose unsaved input. */
function useFrameScheme(frame: RefObject<HTMLIFrameElement | null>) {
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const [wasDark] = useState(isDark)
  const latest = useRef(isDark)
  const send = useCallback(() => {
    const message: FormPageMessage = { kind: 'form-scheme', isDark: latest.current }
    frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [frame])
  useEffect(() => {
    latest.current = isDark
    send()
  }, [isDark, send])
  return { wasDark, send }
}
