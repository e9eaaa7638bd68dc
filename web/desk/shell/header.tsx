import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconLogout, IconMenu2, IconShieldLock, IconUserCircle } from '@tabler/icons-react'
import { useLocation, useMatches } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { fileAddress } from '../../api/address.ts'
import { useSlowRequests } from '../../api/slow-requests.ts'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { roleName } from '../../features/desk-session/staff-role.ts'
import { SchemeToggle } from '../../ui/brand/scheme-toggle.tsx'
import { LoaderBar } from '../../ui/feedback/loader-bar.tsx'
import { MenuOfPlaces } from '../../ui/layout/collapsible-sidebar.tsx'
import frame from '../../ui/layout/frame.module.css'
import { useKeyboard } from '../../ui/layout/keyboard.tsx'
import { PersonMenu } from '../../ui/layout/person-menu.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { LazyDrawer } from '../../ui/lazy/lazy.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Tooltip } from '../../ui/tooltip/tooltip.tsx'
import { useBrand } from '../use-brand.ts'
import parts from './shell.module.css'
import { usePlaces } from './use-attention.ts'
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
    <header className={`${frame.header} ${parts.header}`}>
      <div data-group="xs" data-nowrap data-align="center" data-shrink>
        {isPhone && <MenuButton />}
        <h1 className={parts.title}>{title}</h1>
      </div>
      <div data-group="xs" data-nowrap data-align="center" data-shrink>
        {!isPhone && <KeysButton />}
        <SchemeToggle />
        <StaffMenu isNameShown={!isPhone} />
      </div>
      <LoaderBar isShown={useSlowRequests()} />
    </header>
  )
}

/** On a phone a button opens the navigation in a side sheet. */
function MenuButton() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  // Stores the page it was opened on, so that navigation closes the sheet.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  return (
    <>
      <ActionIcon
        aria-label={t('Menu')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenAt(pathname)}
      >
        <IconMenu2 size={20} stroke={1.5} />
      </ActionIcon>
      <LazyDrawer
        opened={isOpen}
        onClose={() => setOpenAt(null)}
        position="left"
        size={280}
        title={t('Menu')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <MenuOfPlaces groups={usePlaces()} isCollapsed={false} />
      </LazyDrawer>
    </>
  )
}

function KeysButton() {
  const { t } = useTranslation()
  const { openHelp } = useKeyboard()
  return (
    <Tooltip label={t('Keyboard shortcuts')}>
      <ActionIcon aria-label={t('Keyboard shortcuts')} onClick={openHelp}>
        <IconKeyboard size={18} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

function StaffMenu({ isNameShown }: { isNameShown: boolean }) {
  const { t } = useTranslation()
  const user = useDeskUser()
  const signOut = useSignOut()
  return (
    <PersonMenu
      name={user.name}
      picture={user.picture && fileAddress(user.picture)}
      label={t('Profile menu of {{name}}', { name: user.name })}
      isNameShown={isNameShown}
      more={[user.email, t(roleName(user.type))]}
      entries={[
        { label: t('Your account'), icon: IconUserCircle, to: '/account' },
        { label: t('Your security'), icon: IconShieldLock, to: '/security' },
        { label: t('Sign out'), icon: IconLogout, onPress: signOut },
      ]}
    />
  )
}
