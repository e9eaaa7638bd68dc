import { Menu, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconLogout } from '@tabler/icons-react'
import { Link, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSlowRequests } from '../../api/slow-requests.ts'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { roleName } from '../../features/desk-session/staff-role.ts'
import { LoaderBar } from '../../ui/loader-bar.tsx'
import { SchemeToggle } from '../../ui/scheme-toggle.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { places } from '../places.ts'
import { useBrand } from '../use-brand.ts'
import parts from './shell.module.css'
import { useSignOut } from './use-sign-out.ts'

export function Header() {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const brand = useBrand()
  const title = t(useMatches().findLast((match) => match.staticData.title)?.staticData.title ?? 'Desk')
  useEffect(() => {
    document.title = `${title} · ${t('{{brand}} desk', { brand: brand.name })}`
  }, [t, title, brand.name])
  return (
    <header className={parts.header}>
      <h1 className={parts.title}>{title}</h1>
      <div className={parts.headerSide}>
        <SchemeToggle />
        <StaffMenu isNameShown={!isPhone} isWithPlaces={isPhone} />
      </div>
      <LoaderBar isShown={useSlowRequests()} />
    </header>
  )
}

const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => word?.charAt(0) ?? '')
    .join('')
    .toUpperCase()
}

function StaffMenu({ isNameShown, isWithPlaces }: { isNameShown: boolean; isWithPlaces: boolean }) {
  const { t } = useTranslation()
  const user = useDeskUser()
  const signOut = useSignOut()
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={parts.person}>
          <span className={parts.initials} aria-hidden>
            {initialsOf(user.name)}
          </span>
          {isNameShown ? (
            <span className={parts.personShort}>{user.name}</span>
          ) : (
            <VisuallyHidden>{user.name}</VisuallyHidden>
          )}
          <IconChevronDown size={16} stroke={1.5} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={parts.personName}>{user.name}</div>
        <div className={parts.personMore}>
          {user.email}
          <br />
          {t(roleName(user.type))}
        </div>
        <Menu.Divider />
        {isWithPlaces &&
          places.map(({ to, label, icon: Icon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={18} stroke={1.5} />}>
              {t(label)}
            </Menu.Item>
          ))}
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.5} />} onClick={signOut}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
