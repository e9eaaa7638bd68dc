import { Link } from '@tanstack/react-router'
import { useSession } from '../../features/session/session.ts'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'
import { CollapsibleSidebar } from '../../ui/layout/collapsible-sidebar.tsx'
import { useCollapsed } from '../../ui/layout/use-collapsed.ts'
import { isUnderFunds, type Place } from '../menu.ts'
import parts from './shell.module.css'

export function Sidebar({ places }: { places: Place[] }) {
  const { brand } = useSession().settings
  const collapsed = useCollapsed('atrium.sidebar-folded')
  const { isCollapsed } = collapsed
  return (
    <CollapsibleSidebar
      head={
        <Link
          to="/home"
          className={`${parts.brand} ${isCollapsed ? parts.brandCollapsed : ''}`}
          aria-label={brand.name}
        >
          <BrandLogo name={brand.name} logo={brand.logo_url} isCollapsed={isCollapsed} />
        </Link>
      }
      groups={[{ places: places.filter((place) => !isUnderFunds(place)) }]}
      collapsed={collapsed}
    />
  )
}
