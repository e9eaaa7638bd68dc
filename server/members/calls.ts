import * as contract from '@atrium/contract/members.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { open } from '../foundation/door.ts'
import type { Ground } from '../foundation/ground.ts'
import { takePictureOff, wearPicture } from './picture.ts'
import { changeAddresses, changeContacts, changePreferences } from './profile.ts'

export function openMemberCalls(app: FastifyInstance, ground: Ground): void {
  const saved = (version: number) => ({ msg: [texts.profileSaved], version })
  open(app, ground, contract.saveContacts, async (member, input) => saved(await changeContacts(member, input)))
  open(app, ground, contract.saveAddresses, async (member, input) => saved(await changeAddresses(member, input)))
  open(app, ground, contract.savePreferences, async (member, input) => saved(await changePreferences(member, input)))

  open(app, ground, contract.savePicture, async (member, { media }) => {
    await wearPicture(member, media)
    return { msg: [texts.pictureSaved] }
  })
  open(app, ground, contract.removePicture, async (member) => {
    await takePictureOff(member)
    return { msg: [texts.pictureRemoved] }
  })
}
