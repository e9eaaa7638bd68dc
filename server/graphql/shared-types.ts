import { builder } from './builder.ts'

/** Types that belong to no domain: places, pictures, files, and people as others see them. */
export function describeSharedTypes(): void {
  builder.objectType('Country', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      alpha_2: t.exposeString('alpha_2'),
    }),
  })
  builder.objectType('Image', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      type: t.exposeString('type', { nullable: true }),
      url: t.exposeString('url'),
      title: t.exposeString('title', { nullable: true }),
      description: t.exposeString('description', { nullable: true }),
    }),
  })
  builder.objectType('File', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      title: t.exposeString('title', { nullable: true }),
      description: t.exposeString('description', { nullable: true }),
      url: t.exposeString('url'),
      created_at: t.expose('created_at', { type: 'Millis', nullable: true }),
    }),
  })
  builder.objectType('Person', {
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      profile_pic: t.field({ type: 'Image', nullable: true, resolve: ({ profile_pic }) => profile_pic ?? null }),
    }),
  })
}
