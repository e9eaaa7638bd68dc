import { Link } from '@tanstack/react-router'

/** A member's name, linked to their page in the staff app. */
export function MemberLink({ member: { _id, name } }: { member: { _id: string; name: string } }) {
  return (
    <Link to={'/members/{-$memberId}' as never} params={{ memberId: _id } as never}>
      <bdi>{name}</bdi>
    </Link>
  )
}
