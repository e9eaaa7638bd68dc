import type { platformProblems } from '@atrium/contract/desk-platforms.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import rows from '../../ui/desk-rows.module.css'
import { Callout } from '../../ui/state.tsx'
import { FormSection } from '../../ui/work-page.tsx'
import parts from './platforms.module.css'
import { type Platform, useTry } from './use-platforms.ts'

const words: Record<(typeof platformProblems)[number], string> = {
  not_connected: 'It is not connected, or switched off.',
  unreachable: 'Nobody answers at this address.',
  auth_failed: 'It does not take the login or the secret.',
  auth_failing_repeatedly: 'It has refused the login several times: look at it before the account is blocked.',
  server_not_proven: 'What answers cannot prove to be the server.',
  not_permitted: 'Our manager may not do all that is needed.',
  clock_mismatch: 'Its clock does not fit the time zone that is set.',
  not_answering: 'It is reached and does not answer.',
  circuit_open: 'It failed several times and is left alone for a moment.',
}

/** Asks the platform with what is saved. */
export function TryPlatform({ platform, isDirty }: { platform: Platform; isDirty: boolean }) {
  const { t } = useTranslation()
  const trying = useTry(platform._id)
  const answer = trying.data
  const isWell = answer !== undefined && answer.problems.length === 0 && answer.authenticated
  return (
    <FormSection
      title={t('Try the connection')}
      help={t('Signs in and asks the platform for its time. Nothing is changed there.')}
    >
      <div className={parts.buttons}>
        <Button variant="default" loading={trying.isPending} disabled={isDirty} onClick={() => trying.mutate()}>
          {t('Try the connection')}
        </Button>
        {isDirty && <span className={rows.quiet}>{t('Save first: what is saved is tried.')}</span>}
      </div>
      {trying.error && <Callout meaning="red">{t(trying.error.message)}</Callout>}
      {answer && isWell && (
        <Callout meaning="green">
          {t('It answers, and takes our login. It took {{count}} ms.', { count: answer.took_ms })}
        </Callout>
      )}
      {answer && !isWell && (
        <Callout meaning="red">
          {answer.problems.length === 0
            ? t('It answers, but did not let us in.')
            : answer.problems.map((problem) => t(words[problem])).join(' ')}
        </Callout>
      )}
    </FormSection>
  )
}
