import { Link } from '@tanstack/react-router'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { CollapsibleSidebar } from '../../ui/layout/collapsible-sidebar.tsx'
import { useKeys } from '../../ui/layout/keyboard.tsx'
import { useCollapsed } from '../../ui/layout/use-collapsed.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useBrand } from '../use-brand.ts'
import parts from './shell.module.css'
import { usePlaces } from './use-attention.ts'

export function Sidebar() {
  const { t } = useTranslation()
  const brand = useBrand()
  const collapsed = useCollapsed('atrium.desk-sidebar-folded')
  const { isCollapsed } = collapsed
  useKeys(t('General'), [{ keys: '[', label: t('Collapse or expand the menu'), act: collapsed.toggle }])
  return (
    <CollapsibleSidebar
      head={
        <div className={`${parts.brandRow} ${isCollapsed ? parts.brandCollapsed : ''}`}>
          <Link to="/" className={parts.brand} aria-label={t('{{brand}} desk', { brand: brand.name })}>
            <BrandLogo name={brand.name} logo={brand.logo_url} isCollapsed={isCollapsed} />
          </Link>
          {!isCollapsed && <Tag label={t('Desk')} />}
        </div>
      }
      groups={usePlaces()}
      collapsed={collapsed}
    />
  )
}
