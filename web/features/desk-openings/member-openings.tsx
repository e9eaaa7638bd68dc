import { type Opening, OpeningHead, OpeningMore } from './opening-facts.tsx'
import parts from './openings.module.css'

/** The member's account openings and their outcomes. */
export function MemberOpenings({ openings }: { openings: Opening[] }) {
  return (
    <ul data-plain>
      {openings.map((opening) => (
        <li key={opening._id} className={parts.row}>
          <OpeningHead opening={opening} />
          <span className={parts.more}>
            <OpeningMore opening={opening} />
          </span>
        </li>
      ))}
    </ul>
  )
}
