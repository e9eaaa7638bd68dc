type Groups = readonly { groups: readonly { name: string; alias: string }[] }[]

/** Members know a group by its alias; a group that is no longer offered shows the platform's own name. */
export const aliasOf = (platforms: Groups, group: string): string =>
  platforms.flatMap(({ groups }) => groups).find(({ name }) => name === group)?.alias ?? group
