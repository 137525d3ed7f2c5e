import type { Agorot } from '#domain/money.ts'

/**
 * The authority takes shekels as JSON numbers with two decimals; a safe whole number of agorot survives the
 * way there and back.
 */
export const toShekels = (agorot: Agorot): number => agorot / 100
export const fromShekels = (shekels: number): Agorot => Math.round(shekels * 100)
