import type { Ctx } from '#kit/server/context.ts'

type Takes = (ctx: Ctx) => Promise<boolean>

const ways: Takes[] = []

/** A way to pay a document on its page: a feature above says whether the business has it now. */
export const registerOnlinePayment = (takes: Takes): void => void ways.push(takes)

/**
 * A sealed paper promises for ever, so it names the page to pay at only where something can be paid there on
 * the day it is made.
 */
export async function takesOnline(ctx: Ctx): Promise<boolean> {
  for (const takes of ways) if (await takes(ctx)) return true
  return false
}

type SignPage = (ctx: Ctx, document: { id: string; type: number }) => Promise<string>

const signPages: SignPage[] = []

/**
 * Where a document waits to be signed: the feature that has papers signed says the address of the person who signs
 * next; empty when nobody does.
 */
export const registerSignPage = (find: SignPage): void => void signPages.push(find)

/** The page on which a document is to be signed now, or nothing. */
export async function signPageOf(ctx: Ctx, document: { id: string; type: number }): Promise<string> {
  for (const find of signPages) {
    const url = await find(ctx, document)
    if (url) return url
  }
  return ''
}
