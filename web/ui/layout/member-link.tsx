import { Link } from '@tanstack/react-router'

/** A member's name, leading to their page at the desk. */
export function MemberLink({ member: { _id, name } }: { member: { _id: string; name: string } }) {
  return (
    <Link to={'/members/{-$memberId}' as never} params={{ memberId: _id } as never}>
      <bdi>{name}</bdi>
    </Link>
  )
}
