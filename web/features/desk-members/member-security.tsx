import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-detail.module.css'
import type { DeskMember } from './use-members.ts'

export const hasSecondFactor = ({ second_factors: { totp, passkeys } }: DeskMember): boolean => totp || passkeys > 0

/** The member's second factors. */
export function MemberSecurity({ member }: { member: DeskMember }) {
  const { t } = useTranslation()
  const { totp, passkeys } = member.second_factors
  if (!hasSecondFactor(member))
    return <p className={parts.nothing}>{t('None: the password alone is enough to sign in.')}</p>
  const here = <StatusPill meaning="green" label={t('Set up')} />
  return (
    <Facts
      facts={[
        { name: t('Authenticator app'), value: totp ? here : t('none') },
        { name: t('Passkeys'), value: passkeys > 0 ? passkeys : t('none') },
      ]}
    />
  )
}
