import { ActionIcon } from '@mantine/core'
import { IconLogout, IconMessageReport, IconPlus, IconSearch, IconUser } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { fileAddress } from '../../api/address.ts'
import { useSlowRequests } from '../../api/slow-requests.ts'
import { Bell } from '../../features/notifications/bell.tsx'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'
import { SchemeToggle } from '../../ui/brand/scheme-toggle.tsx'
import { LoaderBar } from '../../ui/feedback/loader-bar.tsx'
import frame from '../../ui/layout/frame.module.css'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { PersonMenu } from '../../ui/layout/person-menu.tsx'
import { useIsCompact, useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Tooltip } from '../../ui/tooltip/tooltip.tsx'
import { useEverywhere } from './everywhere.tsx'
import { isReachable } from './is-reachable.ts'
import parts from './shell.module.css'
import { useLogout } from './use-logout.ts'

export function Header() {
  const { settings } = useSession()
  const isOpen = useIsOpen()
  const isPhone = useIsPhone()
  const isCompact = useIsCompact()
  const router = useRouter()
  return (
    <header className={`${frame.header} ${parts.header}`}>
      {isPhone ? (
        <Link to="/home" className={parts.headerBrand}>
          <BrandLogo name={settings.brand.name} logo={settings.brand.logo_url} />
        </Link>
      ) : (
        <QuickActions />
      )}
      <div className={`${parts.headerSide} ${parts.yielding}`}>
        <SearchTrigger isShort={isCompact} />
        {!isPhone && <ComplaintTrigger />}
        <Bell
          isPhone={isPhone}
          onGo={(href) => router.navigate({ href })}
          mayGo={(path) => isReachable(path, isOpen)}
        />
        <SchemeToggle />
        <ProfileMenu isNameShown={!isCompact} />
      </div>
      <LoaderBar isShown={useSlowRequests()} />
    </header>
  )
}

/** The Command key on Apple keyboards. */
const searchKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

function SearchTrigger({ isShort }: { isShort: boolean }) {
  const { t } = useTranslation()
  const { openSearch } = useEverywhere()
  if (isShort)
    return (
      <Tooltip label={t('Search')}>
        <ActionIcon aria-label={t('Search')} aria-haspopup="dialog" onClick={openSearch}>
          <IconSearch size={20} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <button type="button" className={parts.searchTrigger} aria-haspopup="dialog" onClick={openSearch}>
      <IconSearch size={18} stroke={1.5} aria-hidden />
      <span>{t('Search')}</span>
      <kbd aria-hidden>{searchKey}</kbd>
    </button>
  )
}

function ComplaintTrigger() {
  const { t } = useTranslation()
  const { openComplaint, hasOwnComplaint } = useEverywhere()
  if (!openComplaint || hasOwnComplaint) return null
  return (
    <Tooltip label={t('Complaint')}>
      <ActionIcon aria-label={t('Complaint')} aria-haspopup="dialog" onClick={openComplaint}>
        <IconMessageReport size={20} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

function QuickActions() {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const mayOpen = useMayOpen()
  return (
    <div className={parts.headerSide}>
      {isOpen('deposit') && (
        <LinkButton to="/funds/deposit" leftSection={<IconPlus size={18} stroke={1.5} />}>
          {t('Quick Deposit')}
        </LinkButton>
      )}
      {mayOpen('live') && (
        <LinkButton to="/accounts/open-live-account" variant="default">
          {t('Open Live Account')}
        </LinkButton>
      )}
      {mayOpen('demo') && (
        <LinkButton to="/accounts/open-demo-account" variant="default">
          {t('Open Demo Account')}
        </LinkButton>
      )}
    </div>
  )
}

function ProfileMenu({ isNameShown }: { isNameShown: boolean }) {
  const { t } = useTranslation()
  const { member } = useSession()
  const logout = useLogout()
  return (
    <PersonMenu
      name={member.name}
      picture={member.profile_pic && fileAddress(member.profile_pic.url)}
      label={t('Profile menu of {{name}}', { name: member.name })}
      isNameShown={isNameShown}
      more={[t('Customer {{number}}', { number: member.customer_number })]}
      entries={[
        { label: t('Profile'), icon: IconUser, to: '/profile' },
        { label: t('Logout'), icon: IconLogout, onPress: logout },
      ]}
    />
  )
}
