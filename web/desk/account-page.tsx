import { endOtherStaffSessions, endStaffSession, listStaffSessions } from '@atrium/contract/staff/desk-calls.ts'
import { useState } from 'react'
import { call } from '../api/transport.ts'
import { useDeskUser } from '../features/desk-session/desk-session.ts'
import { OwnNameForm } from '../features/desk-session/own-name-form.tsx'
import { OwnPicture } from '../features/desk-session/own-picture.tsx'
import { changeStaffPassword } from '../features/desk-session/staff-password.ts'
import { roleName } from '../features/desk-session/staff-role.ts'
import { OwnSessions } from '../features/profile/session-list.tsx'
import type { SessionSource } from '../features/profile/use-own-sessions.ts'
import { NewPasswordForm } from '../features/session/new-password-form.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { Facts } from '../ui/layout/facts.tsx'
import { FormSection, WorkPage } from '../ui/layout/work-page.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'

const staffSessions: SessionSource = {
  list: async () => (await call(listStaffSessions, {})).sessions,
  end: (session) => call(endStaffSession, session),
  endOthers: () => call(endOtherStaffSessions, {}),
  to: '/account',
}

/** The staff member's own profile and password. */
export function AccountPage() {
  const { t } = useTranslation()
  const { email, type } = useDeskUser()
  // Remounts the password form empty after a change.
  const [turn, setTurn] = useState(0)
  return (
    <WorkPage help={t('Your own account at the desk. Your actions are recorded under your name.')}>
      <FormSection title={t('You')} help={t('Only an administrator can change your email and role.')}>
        <Facts
          facts={[
            { name: t('Email'), value: email },
            { name: t('Role'), value: t(roleName(type)) },
          ]}
        />
        <OwnNameForm />
        <OwnPicture />
      </FormSection>
      <FormSection title={t('Password')} help={t('Your other devices will be signed out; this one stays signed in.')}>
        <NewPasswordForm
          key={turn}
          asksCurrent
          isFocused={false}
          label={t('Change password')}
          action={t('Change password')}
          save={changeStaffPassword}
          onSaved={({ msg }) => {
            toast.done(msg.map((line) => t(line)).join(' '))
            setTurn(turn + 1)
          }}
        />
      </FormSection>
      <OwnSessions source={staffSessions} />
    </WorkPage>
  )
}
