"""The tools that come with diligent, each with its words for the model beside it; `toolbox` makes them."""
