import { useQuery } from '@tanstack/react-query'
import { graph } from '../../api/transport.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { actionsOf } from './account-actions.ts'
import { duePasswordsKey, duePasswordsQuery } from './due-passwords.queries.ts'
import type { StableDetail } from './use-account.ts'

/**
 * Asks for the passwords that a previous owner may still know. A separate query, because a process of the previous
 * version does not know the fields and would refuse the whole account query.
 */
export function DuePasswords({ account }: { account: StableDetail }) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: duePasswordsKey(account._id),
    queryFn: async () => (await graph(duePasswordsQuery, { _id: account._id })).data.trading_account,
    retry: false,
  })
  const { main_password_due: main, investor_password_due: investor } = data ?? {}
  if (!(main || investor) || account.deleted || account.archived) return null
  const mayChange = actionsOf(account, { deposit: false, withdraw: false }).password
  return (
    <Callout meaning="amber">
      <strong>
        {!main
          ? t('Please set a new investor password.')
          : investor
            ? t('Please set a new password and a new investor password.')
            : t('Please set a new password.')}
      </strong>{' '}
      {t('Until then, the previous owner of this account may be able to sign in to the platform.')}{' '}
      {!mayChange && t('You cannot change it here at the moment: please write to our support.')}
    </Callout>
  )
}
