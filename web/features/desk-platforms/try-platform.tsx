import type { platformProblems } from '@atrium/contract/platforms/desk-calls.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { Button } from '@mantine/core'
import { Callout } from '../../ui/feedback/state.tsx'
import { FormSection } from '../../ui/layout/work-page.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './platforms.module.css'
import { type Platform, useTry } from './use-platforms.ts'

const labels: Record<(typeof platformProblems)[number], string> = knownOr(otherLabel, {
  not_connected: 'It is not connected, or switched off.',
  unreachable: 'No answer from this address.',
  auth_failed: 'It rejects the login or the secret.',
  auth_failing_repeatedly: 'It has rejected the login several times. Check the settings before the account is blocked.',
  server_not_proven: 'The identity of the server cannot be verified.',
  not_permitted: 'Our manager login lacks permissions.',
  clock_mismatch: 'Its clock does not match the time zone that is set.',
  not_answering: 'It is reachable but does not answer.',
  circuit_open: 'It failed several times and is paused for a moment.',
})

/** Tests the connection with the saved settings. */
export function TryPlatform({ platform, isDirty }: { platform: Platform; isDirty: boolean }) {
  const { t } = useTranslation()
  const trying = useTry(platform)
  const { answer } = trying
  const isWell = answer !== undefined && answer.problems.length === 0 && answer.authenticated
  return (
    <FormSection
      title={t('Test the connection')}
      help={t('Signs in and asks the platform for its time. Nothing is changed there.')}
    >
      <div className={parts.buttons}>
        <Button variant="default" loading={trying.isPending} disabled={isDirty} onClick={trying.run}>
          {t('Test the connection')}
        </Button>
        {isDirty && <span className={rows.quiet}>{t('Save first: the saved connection is tested.')}</span>}
      </div>
      {trying.error && <Callout meaning="red">{t(trying.error.message)}</Callout>}
      {answer && isWell && (
        <Callout meaning="green">
          {t('It accepts our login. It answered in {{count}} ms.', { count: answer.took_ms })}
        </Callout>
      )}
      {answer && !isWell && (
        <Callout meaning="red">
          {answer.problems.length === 0
            ? t('It answers, but rejects our login.')
            : answer.problems.map((problem) => t(labels[problem])).join(' ')}
        </Callout>
      )}
    </FormSection>
  )
}
