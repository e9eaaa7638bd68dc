import { Link } from '@tanstack/react-router'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { FoldingSidebar } from '../../ui/layout/folding-sidebar.tsx'
import { useKeys } from '../../ui/layout/keyboard.tsx'
import { useFolding } from '../../ui/layout/use-folding.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useBrand } from '../use-brand.ts'
import parts from './shell.module.css'
import { usePlaces } from './use-attention.ts'

export function Sidebar() {
  const { t } = useTranslation()
  const brand = useBrand()
  const folding = useFolding('atrium.desk-sidebar-folded')
  const { isFolded } = folding
  useKeys(t('Everywhere'), [{ keys: '[', words: t('Collapse or expand the menu'), act: folding.toggle }])
  return (
    <FoldingSidebar
      head={
        <div className={`${parts.brandRow} ${isFolded ? parts.brandFolded : ''}`}>
          <Link to="/" className={parts.brand} aria-label={t('{{brand}} desk', { brand: brand.name })}>
            <BrandLogo name={brand.name} logo={brand.logo_url} isFolded={isFolded} />
          </Link>
          {!isFolded && <Tag label={t('Desk')} />}
        </div>
      }
      groups={usePlaces()}
      folding={folding}
    />
  )
}
