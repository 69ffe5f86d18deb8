import { expect, test } from 'vitest'
import { realmAddresses, reachOf, serverAddresses } from './realm-addresses.ts'

test('a realm answers on this computer and on each address of the local network', () => {
  const server = {
    url: 'http://127.0.0.1:9870',
    lan_urls: ['http://192.168.1.20:9870/', 'http://192.168.1.20:9870'],
  }
  expect(realmAddresses({ name: 'demo', url: 'http://127.0.0.1:9870/r/demo' }, server)).toEqual([
    { url: 'http://127.0.0.1:9870/r/demo', reach: 'This computer' },
    { url: 'http://192.168.1.20:9870/r/demo', reach: 'Local network' },
  ])
  expect(serverAddresses(server).map(({ url }) => url)).toEqual([
    'http://127.0.0.1:9870',
    'http://192.168.1.20:9870',
  ])
})

test('before the server told its addresses, the realm has its own', () => {
  expect(realmAddresses({ name: 'x', url: 'http://office.lan/r/x/' }, undefined)).toEqual([
    { url: 'http://office.lan/r/x', reach: 'Local network' },
  ])
})

test('loopback by any of its names', () => {
  for (const url of [
    'http://127.0.0.53:1',
    'http://[::1]:1',
    'http://localhost',
    'http://demo.localhost:9870',
  ])
    expect(reachOf(url)).toBe('This computer')
  expect(reachOf('http://localhost.example.org')).toBe('Local network')
})
