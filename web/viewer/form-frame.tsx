import '../ui/layout/shell-styles.ts'
import { submitForm } from '@atrium/contract/requests/form-calls.ts'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../api/transport.ts'
import { type Filled, FilledForm } from '../features/forms/filled-form.tsx'
import { ScoresCallout } from '../features/forms/scores-callout.tsx'
import { rememberedBrand } from '../features/session/brand-memory.ts'
import { portalSession } from '../features/session/portal-session.ts'
import { sessionQuery } from '../features/session/session.ts'
import { useActivity } from '../features/session/use-activity.ts'
import { defaultAccent, themeOf, themeVariables } from '../ui/brand/theme.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { EmptyState } from '../ui/feedback/state.tsx'
import { ToastContainer } from '../ui/feedback/toast-container.tsx'
import { pageNonce } from '../ui/forms/nonce.ts'
import { queryClient } from '../ui/lists/query-client.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import parts from './form-frame.module.css'
import { readFrameSearch } from './frame-search.ts'
import { postToPage, useReportedHeight } from './page-messages.ts'
import { usePageScheme } from './page-scheme.ts'
import { signedOut } from './signed-out.ts'

export { startFrame } from './start-frame.ts'

const theme = themeOf(rememberedBrand()?.accent ?? defaultAccent)

/** One form alone, in the colour scheme that the parent page requests. */
export function FormFrame({ address }: { address: URL }) {
  const { formId, scheme: named, isInPortal } = readFrameSearch(address.searchParams)
  const scheme = usePageScheme(named)
  useReportedHeight()
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={themeVariables}
      defaultColorScheme="auto"
      {...(scheme && { forceColorScheme: scheme })}
      getStyleNonce={pageNonce}
    >
      <QueryClientProvider client={queryClient}>
        <main className={`${parts.frame} ${isInPortal ? parts.inside : parts.alone}`}>
          <SignedInForm formId={formId} />
        </main>
        <ToastContainer />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The session identifies the member; the address is not trusted for it. */
function SignedInForm({ formId }: { formId: string | null }) {
  const { t } = useTranslation()
  const isOut = useSyncExternalStore(signedOut.subscribe, signedOut.isOut) || !portalSession.read()
  const session = useQuery({ ...sessionQuery, enabled: !isOut })
  if (isOut) return <EmptyState drawing="door" title={t('Please sign in')} text={t('This form is for members.')} />
  if (session.error) return <ErrorState error={session.error} onRetry={() => session.refetch()} />
  if (!session.data) return null
  if (formId === null)
    return <EmptyState drawing="search" title={t('Form not found')} text={t('The address may be wrong.')} />
  return <FormToSend formId={formId} />
}

type Sent = Awaited<ReturnType<typeof sendForm>>
const sendForm = ({ form, data, ...rest }: Filled) => call(submitForm, { form, data, ...rest })

function FormToSend({ formId }: { formId: string }) {
  const { t } = useTranslation()
  // The page around the frame does not see it, and activity alone keeps the session.
  useActivity()
  const [sent, setSent] = useState<Sent | null>(null)
  const sendDirty = useCallback((isDirty: boolean) => postToPage({ kind: 'form-dirty', isDirty }), [])
  useEffect(() => {
    if (sent) postToPage({ kind: 'form-sent' })
  }, [sent])
  if (!sent)
    return <FilledForm formId={formId} label={t('Form')} send={sendForm} onSent={setSent} onDirty={sendDirty} />
  return (
    <div role="status">
      <EmptyState
        drawing="list"
        title={sent.msg.map((line) => t(line)).join(' ')}
        text={<ScoresCallout scores={sent.submission.scores} />}
      />
    </div>
  )
}
