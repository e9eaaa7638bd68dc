import { type ChoosableGroup, endMails } from '@atrium/contract/notifications/calls.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

const subjects: Record<ChoosableGroup, string> = {
  money: 'deposits',
  documents: 'documents',
  support: 'support',
  requests: 'requests',
  accounts: 'trading accounts',
}

/** Requires a click, since mail scanners open every link in an email. */
export function EndMails({ token }: { token: string }) {
  const { t } = useTranslation()
  const ending = useMutation({ mutationFn: () => call(endMails, { token }) })
  if (ending.data)
    return (
      <Callout meaning="green">
        {t('You no longer receive emails about {{subject}}. You still receive these notifications in the portal.', {
          subject: t(subjects[ending.data.group]),
        })}
      </Callout>
    )
  return (
    <>
      {ending.error && <Callout meaning="red">{t(ending.error.message)}</Callout>}
      <Button loading={ending.isPending} onClick={() => ending.mutate()}>
        {t('Unsubscribe')}
      </Button>
    </>
  )
}
