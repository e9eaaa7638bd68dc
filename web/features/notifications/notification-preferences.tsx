import {
  type NotificationGroup,
  readNotificationPreferences,
  saveNotificationPreference,
} from '@atrium/contract/notifications/calls.ts'
import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { Skeleton, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, Section } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './notification-preferences.module.css'

const preferencesKey = ['notification-preferences'] as const

const labels: Record<NotificationGroup, { label: string; help: string }> = knownOr(
  { label: otherLabel, help: '' },
  {
    money: { label: 'Deposits', help: 'Decisions about deposits. Emails about withdrawals are always sent.' },
    documents: { label: 'Documents', help: 'Decisions about your documents, and what is still missing.' },
    support: { label: 'Support', help: 'Replies to your tickets.' },
    requests: { label: 'Requests', help: 'Progress and outcome of your requests.' },
    accounts: { label: 'Trading accounts', help: 'Accounts that were opened or could not be opened.' },
    security: { label: 'Security', help: 'Always sent by email, for your security.' },
  },
)

/** Saves each change immediately. Every notification appears under the bell regardless of these settings. */
export function NotificationPreferences() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const preferences = useQuery({ queryKey: preferencesKey, queryFn: () => call(readNotificationPreferences, {}) })
  const saving = useMutation({
    mutationFn: (preference: Parameters<typeof call<typeof saveNotificationPreference>>[1]) =>
      call(saveNotificationPreference, preference),
    onSuccess: ({ msg, ...said }) => {
      client.setQueryData(preferencesKey, said)
      toast.done(msg.map((line) => t(line)).join(' '))
    },
    onError: () => void preferences.refetch(),
  })
  return (
    <Section title={t('Email notifications')}>
      <Card data-stack="lg" data-pad="lg">
        <p className={parts.help}>{t('Choose which emails you receive. All notifications are under the bell.')}</p>
        {preferences.isError && !preferences.data && (
          <ErrorState error={preferences.error} onRetry={() => preferences.refetch()} />
        )}
        {preferences.isPending && <Skeleton height={220} />}
        {preferences.data?.groups.map(({ group, is_mailed, is_choosable }) => (
          <Switch
            key={group}
            classNames={{ track: parts.track ?? '', label: parts.label ?? '' }}
            label={t(labels[group].label)}
            description={t(labels[group].help)}
            checked={is_mailed}
            disabled={!is_choosable}
            readOnly={saving.isPending}
            onChange={({ currentTarget }) => {
              if (group !== 'security') saving.mutate({ group, is_mailed: currentTarget.checked })
            }}
          />
        ))}
        <Refusal messages={saving.error ? [saving.error.message] : []} isUnknown={false} />
      </Card>
    </Section>
  )
}
