from shop.prices import LIMIT, round_price, total
