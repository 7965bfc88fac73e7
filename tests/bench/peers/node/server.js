"use strict";

// boardgame.io's own server with its Postgres storage: node server.js PORT, with Sequelize's settings in POSTGRES

const { Server } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const { game } = require("./game");

const [port] = process.argv.slice(2);
const db = new PostgresStore({ ...JSON.parse(process.env.POSTGRES), logging: false, pool: { max: 20 } });

Server({ games: [game], db, origins: [/.*/] }).run(Number(port));
