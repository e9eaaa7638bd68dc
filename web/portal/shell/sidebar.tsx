import { Link } from '@tanstack/react-router'
import { useSession } from '../../features/session/session.ts'
import { BrandLogo } from '../../ui/brand/brand-logo.tsx'
import { FoldingSidebar } from '../../ui/layout/folding-sidebar.tsx'
import { useFolding } from '../../ui/layout/use-folding.ts'
import { isUnderFunds, type Place } from '../menu.ts'
import parts from './shell.module.css'

export function Sidebar({ places }: { places: Place[] }) {
  const { brand } = useSession().settings
  const folding = useFolding('atrium.sidebar-folded')
  const { isFolded } = folding
  return (
    <FoldingSidebar
      head={
        <Link to="/home" className={`${parts.brand} ${isFolded ? parts.brandFolded : ''}`} aria-label={brand.name}>
          <BrandLogo name={brand.name} logo={brand.logo_url} isFolded={isFolded} />
        </Link>
      }
      groups={[{ places: places.filter((place) => !isUnderFunds(place)) }]}
      folding={folding}
    />
  )
}
